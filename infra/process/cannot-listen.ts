import { codeOf } from './error-code.ts'

interface ListenAddress {
  readonly host: string
  readonly port: number
  /** The variable that decides the port. */
  readonly variable: string
}

/** For `catch`: why a server cannot listen, in a sentence that names the variable to change. */
export function cannotListen(at: ListenAddress): (error: unknown) => never {
  return (error) => {
    const known = reason(at, codeOf(error))
    throw known === undefined ? error : new Error(known)
  }
}

function reason({ host, port, variable }: ListenAddress, code: unknown): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${variable} to another port.`
    case 'EACCES':
      return `Port ${port} needs rights that this process does not have. Set ${variable} to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return undefined
  }
}
