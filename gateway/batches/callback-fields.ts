import { terminal } from '../../actors/failure.ts'
import { addressText } from './source-schema.ts'
import { headersAbout, requestHeaders } from './request-headers.ts'
import type { UrlCheck } from './sources.ts'

/** Whom a user wants to be called, wherever they may say so. */
export function callbackFields(when: string) {
  return {
    callback_url: addressText
      .optional()
      .describe(`Is called ${when}, with a signed POST; see /transcribe/webhooks/secret.`),
    callback_headers: requestHeaders.optional().describe(`Sent with the call to \`callback_url\`. ${headersAbout}`),
  }
}

interface CallbackInput {
  readonly callback_url?: string | undefined
  readonly callback_headers?: unknown
}

export function refuseCallback(
  checkUrl: UrlCheck,
  { callback_url: url, callback_headers: headers }: CallbackInput,
): void {
  if (url === undefined && headers)
    throw terminal('invalid_request', 'body.callback_headers: there is no callback_url that they are sent to')
  const refusal = url === undefined ? undefined : checkUrl(url)
  if (refusal !== undefined) throw terminal('invalid_request', `body.callback_url: ${refusal}`)
}
