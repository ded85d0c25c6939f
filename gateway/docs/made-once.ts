/** Stands for the address at which a reader found us: no more than a scheme, a host and a port, of letters that mean nothing to a page. */
const readersAddress = 'http://address-of-the-reader.invalid'

/** A text that differs from reader to reader in the address alone. Half a megabyte is not made anew for whoever asks. */
export function madeOnce(make: (address: string) => string): (address: string) => string {
  let parts: readonly string[] | undefined
  return (address) => (parts ??= make(readersAddress).split(readersAddress)).join(address)
}
