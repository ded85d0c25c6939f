import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

interface HttpAnswer {
  readonly status: number
  /** When the server wrote it, by its clock. */
  readonly dateMs: number | undefined
  /** Half way between question and answer, by ours. */
  readonly askedMs: number
  readonly body: string
}

const answerWithinMs = 10_000
const bodyMaxBytes = 4 * 1024 * 1024

/** Nothing secret is sent, and a certificate of one's own is nothing to complain about here: it is not checked. */
export function askHttp(url: string): Promise<HttpAnswer> {
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  const signal = AbortSignal.timeout(answerWithinMs)
  const fromMs = Date.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { signal, rejectUnauthorized: false, agent: false }, (response) => {
      const askedMs = (fromMs + Date.now()) / 2
      const date = Date.parse(response.headers.date ?? '')
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
        if (body.length > bodyMaxBytes) asked.destroy(new Error(`${url} answers with more than anybody asked for`))
      })
      response.once('error', reject)
      response.once('end', () => {
        const dateMs = Number.isNaN(date) ? undefined : date + 500 // a header has whole seconds
        resolve({ status: response.statusCode ?? 0, dateMs, askedMs, body })
      })
    })
    asked.once('error', reject)
    asked.end()
  })
}

/** Undefined where nobody answers. */
export function askIfThere(url: string): Promise<HttpAnswer | undefined> {
  return askHttp(url).catch(() => undefined)
}
