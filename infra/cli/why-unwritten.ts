import { codeOf } from '../process/error-code.ts'
import { errorInWords } from './error-in-words.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left on its disk',
  EDQUOT: 'your room on its disk is used up',
  EROFS: 'its disk is read-only',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  ENAMETOOLONG: 'its name would be too long',
  EISDIR: 'a folder has its name',
  ENOTEMPTY: 'a folder has its name',
}

/** Why a file could not be written, for people. */
export function whyUnwritten(error: unknown): string {
  const code = codeOf(error)
  const reason = reasons[code]
  return reason === undefined ? errorInWords(error) : `${reason} (${code})`
}
