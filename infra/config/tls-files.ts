import type { Config } from './config.ts'

interface TlsFiles {
  readonly certPath: string
  readonly keyPath: string
}

/** Where the certificate of the gateway is, if it has one. */
export function gatewayTls({ tlsCert, tlsKey }: Config): TlsFiles | undefined {
  return tlsCert === '' ? undefined : { certPath: tlsCert, keyPath: tlsKey }
}

/** Of the realtime port: its own, or the gateway's. */
export function realtimeTls(config: Config): TlsFiles | undefined {
  const { realtimeTlsCert: certPath, realtimeTlsKey: keyPath } = config
  return certPath === '' ? gatewayTls(config) : { certPath, keyPath }
}

/** As a link: `https://127.0.0.1:8080`. */
export function serverUrl(tls: TlsFiles | undefined, { host, port }: { host: string; port: number }): string {
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
