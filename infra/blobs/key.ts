import { terminal } from '../../actors/failure.ts'

export const keyMaxLength = 512
/** What a file system takes as one name (NAME_MAX). */
export const keyPartMaxLength = 255

const visibleAscii = /^[!-~]+$/

/** Both stores refuse the same keys, so that what works on disk also works in a bucket. */
export function checkKey(key: string): void {
  const reason = complaint(key)
  if (reason) throw terminal('invalid_request', `This is not a storage key: ${reason}.`)
}

export function checkPrefix(prefix: string): void {
  const reason = prefix.endsWith('/') ? complaint(prefix.slice(0, -1)) : 'a prefix ends in "/"'
  if (reason) throw terminal('invalid_request', `This is not a prefix of storage keys: ${reason}.`)
}

function complaint(key: string): string | undefined {
  if (key.length > keyMaxLength) return `it has ${key.length} characters, and at most ${keyMaxLength} are allowed`
  if (key !== '' && !visibleAscii.test(key)) return 'it may hold visible ASCII characters only'
  const parts = key.split('/')
  if (parts.includes('')) return 'a part between "/" is empty'
  if (parts.includes('.') || parts.includes('..')) return 'a part is "." or ".."'
  if (parts.some((part) => part.length > keyPartMaxLength))
    return `a part between "/" has more than ${keyPartMaxLength} characters`
  return undefined
}
