import type Koa from 'koa'

/** What pages of other servers may read of an answer besides its body. */
const exposed = [
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
  'Vaak-Batch-Upload-Id',
  'Vaak-File-Id',
  'Vaak-Deduplicated',
  'WWW-Authenticate',
  'X-Request-Id',
]
const rememberSeconds = 600
const methods = 'GET, POST, PUT, PATCH, DELETE'
/** Names of headers, as many as anybody asks for; they are told back only when they are nothing else. */
const namesForm = /^[\w-]{1,64}(?: *, *[\w-]{1,64}){0,31}$/

/**
 * Lets the browser give answers to pages of these origins, or with `*` to all. A page needs a token as any caller does;
 * cookies count for nothing here, so that nobody is ever asked to send them.
 */
export function crossOrigin<State>(origins: readonly string[]): Koa.Middleware<State> {
  return (ctx, next) => {
    if (origins.length === 0) return next()
    const isOpen = origins.includes('*')
    if (!isOpen) ctx.vary('Origin')
    const origin = ctx.get('Origin')
    if (origin === '' || !(isOpen || origins.includes(origin))) return next()
    ctx.set('Access-Control-Allow-Origin', isOpen ? '*' : origin)
    ctx.set('Access-Control-Expose-Headers', exposed.join(', '))
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '') return next()
    return answerPreflight(ctx)
  }
}

function answerPreflight(ctx: Koa.Context): void {
  const asked = ctx.get('Access-Control-Request-Headers')
  ctx.set('Access-Control-Allow-Methods', methods)
  if (namesForm.test(asked)) ctx.set('Access-Control-Allow-Headers', asked)
  ctx.set('Access-Control-Max-Age', String(rememberSeconds))
  ctx.status = 204
}
