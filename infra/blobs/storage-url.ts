import { checkPrefix } from './key.ts'

/** What STORAGE_URL says. */
export type StorageLocation =
  | { readonly kind: 'disk'; readonly folder: string | undefined }
  | {
      readonly kind: 's3'
      readonly bucket: string
      readonly endpoint: string | undefined
      readonly region: string | undefined
      readonly prefix: string | undefined
      readonly forcePathStyle: boolean | undefined
    }

const forms = '`disk:`, `disk:/folder` or `s3://bucket?endpoint=…&region=…&prefix=…&path_style=true|false`'
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const regionPattern = /^[a-z0-9-]{1,40}$/
const parameters = new Set(['endpoint', 'region', 'prefix', 'path_style'])

/** Throws an Error whose message is a sentence for the operator; it never repeats what may be a secret. */
export function parseStorageUrl(text: string): StorageLocation {
  if (text.startsWith('disk:')) return { kind: 'disk', folder: parseFolder(text.slice('disk:'.length)) }
  if (!text.startsWith('s3://')) throw new Error(`STORAGE_URL must be ${forms}.`)
  const url = parseUrl(text, `STORAGE_URL is not a URL; it must be ${forms}.`)
  if (url.username !== '' || url.password !== '')
    throw new Error('STORAGE_URL must not hold keys, as addresses end up in logs; give them separately.')
  if (url.port !== '' || (url.pathname !== '' && url.pathname !== '/') || url.hash !== '')
    throw new Error(
      'STORAGE_URL must name a bucket only; where in it is said by ?prefix=, and the server by ?endpoint=.',
    )
  if (!bucketPattern.test(url.host))
    throw new Error('The bucket of STORAGE_URL must have 3 to 63 lower-case letters, digits, dots and hyphens.')
  for (const name of url.searchParams.keys()) {
    if (!parameters.has(name)) throw new Error(`STORAGE_URL has an unknown parameter; known are ${known()}.`)
    if (url.searchParams.getAll(name).length > 1) throw new Error(`STORAGE_URL says ${name} more than once.`)
  }
  return { kind: 's3', bucket: url.host, ...parseParameters(url.searchParams) }
}

function parseFolder(text: string): string | undefined {
  if (text === '') return undefined
  const folder = text.startsWith('///') ? text.slice('//'.length) : text
  if (!folder.startsWith('/') || folder.startsWith('//') || folder.includes('\0'))
    throw new Error('The folder of STORAGE_URL must be absolute, as in disk:/srv/vaak.')
  return folder
}

function parseParameters(query: URLSearchParams) {
  const value = (name: string) => query.get(name) || undefined
  return {
    endpoint: parseEndpoint(value('endpoint')),
    region: parseRegion(value('region')),
    prefix: parsePrefix(value('prefix')),
    forcePathStyle: parsePathStyle(value('path_style')),
  }
}

function parseEndpoint(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const complaint = 'The endpoint of STORAGE_URL must be an address such as https://storage.example:9000.'
  const url = parseUrl(text, complaint)
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new Error(complaint)
  return text
}

function parseRegion(text: string | undefined): string | undefined {
  if (text === undefined || regionPattern.test(text)) return text
  throw new Error('The region of STORAGE_URL must be a name such as eu-central-1.')
}

function parsePrefix(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const prefix = text.endsWith('/') ? text : `${text}/`
  try {
    checkPrefix(prefix)
    return prefix
  } catch (error) {
    throw new Error('The prefix of STORAGE_URL must be names with "/" between them, such as vaak/production.', {
      cause: error,
    })
  }
}

function parsePathStyle(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw new Error('The path_style of STORAGE_URL must be true or false.')
}

function parseUrl(text: string, complaint: string): URL {
  if (!URL.canParse(text)) throw new Error(complaint)
  return new URL(text)
}

function known(): string {
  return Array.from(parameters).join(', ')
}
