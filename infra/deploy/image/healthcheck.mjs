// Whether the role of this container lives: exactly one of them answers on its port, or with `vaak up` all do, which minds its roles itself.
import { get as getPlainly } from 'node:http'
import { get as getByTls } from 'node:https'

const withinMs = 4_000
const { PORT, REALTIME_PORT, HEALTH_PORT, TLS_CERT = '', REALTIME_TLS_CERT = '' } = process.env

const doors = [
  { port: PORT, tls: TLS_CERT !== '' },
  { port: REALTIME_PORT, tls: TLS_CERT !== '' || REALTIME_TLS_CERT !== '' },
  { port: HEALTH_PORT, tls: false },
]

process.exitCode = await Promise.any(doors.map(isAlive)).then(
  () => 0,
  () => 1,
)

function isAlive({ port, tls }) {
  return new Promise((resolve, reject) => {
    // its certificate is for a name, and this is not it
    const options = { host: '127.0.0.1', port, path: '/healthz', timeout: withinMs, rejectUnauthorized: false }
    const request = (tls ? getByTls : getPlainly)(options, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`status ${response.statusCode}`))
    })
    request.once('timeout', () => request.destroy(new Error('no answer')))
    request.once('error', reject)
  })
}
