import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js'

export interface ListenAddress {
  readonly host: string
  /** 0 for any that is free. */
  readonly port: number
  /**
   * Any port is one of these: uWebSockets opens one of the system's choice without SO_REUSEADDR, and who is killed while
   * somebody talks then cannot come back to it for a minute.
   */
  readonly freePort: () => Promise<number>
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT, which its declarations have as a type only. */
const exclusivePort = 1
/** Somebody else can be quicker to take a port that was free. */
const portTries = 10

export async function listenAlone(
  app: TemplatedApp,
  { host, port: asked, freePort }: ListenAddress,
): Promise<us_listen_socket> {
  for (let attempt = 1; ; attempt += 1) {
    const port = asked === 0 ? await freePort() : asked
    const socket = await listenAt(app, { host, port })
    if (socket) return socket
    // it does not say why; that the port is taken is nearly always true
    if (asked !== 0 || attempt >= portTries)
      throw Object.assign(new Error(`cannot listen on ${host}:${port}`), { code: 'EADDRINUSE' })
  }
}

/** What its declarations leave out. */
interface ExclusiveListener {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): void
}

function listenAt(
  app: TemplatedApp,
  { host, port }: Pick<ListenAddress, 'host' | 'port'>,
): Promise<us_listen_socket | false> {
  // as: the overload exists; without the option two servers would share the port, and sessions fall to either
  const listener = app as unknown as ExclusiveListener
  return new Promise((resolve) => listener.listen(host, port, exclusivePort, resolve))
}
