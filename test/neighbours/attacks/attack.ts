import { Agent, request } from 'node:http'

/** A stranger lives elsewhere: what is limited by address does not meet the neighbour at 127.0.0.1. */
export const hostileAddress = '127.0.0.2'

export interface Target {
  readonly url: string
  /** Of the hostile tenant: a proper user of the house. */
  readonly token: string
  readonly signal: AbortSignal
}

export interface Attack {
  readonly name: string
  /** How many do it at the same time. */
  readonly lanes: number
  /** Once; resolves with what came of it, such as a status. It is done again for as long as there is a target. */
  strike(target: Target, number: number): Promise<string>
}

const agent = new Agent({ keepAlive: true, localAddress: hostileAddress })

interface HostileRequest {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: string | Uint8Array
}

interface HostileAnswer {
  readonly status: number
  readonly text: string
}

/** A whole request and its whole answer. */
export function hostileRequest({ url, token, signal }: Target, question: HostileRequest): Promise<HostileAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(url + question.path, {
      agent,
      signal,
      method: question.method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(question.body !== undefined && {
          'Content-Type': question.type ?? 'application/json',
          'Content-Length': Buffer.byteLength(question.body),
        }),
      },
    })
    asking.on('error', reject)
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asking.end(question.body)
  })
}
