import { isOwner, isResumableId } from '../ids.ts'
import type { Owner, ResumableRef } from '../ids.ts'

/** What is known of resumable uploads, of all users, apart from their bytes, so that it is listed without them. Ends in `/`. */
export const allBegun = 'resumable/begun/'

export function begunFolder(owner: Owner): string {
  return `${allBegun}${owner}/`
}

export function begunKey({ owner, resumableId }: ResumableRef): string {
  return `${begunFolder(owner)}${resumableId}`
}

/** What came of resumable uploads, of all users. Ends in `/`. */
export const allPieces = 'resumable/pieces/'

export function piecesFolder({ owner, resumableId }: ResumableRef): string {
  return `${allPieces}${owner}/${resumableId}/`
}

/** As many digits as the largest safe integer has: keys are in the order of what they hold. */
const offsetDigits = 16

/** `writer` is nobody else's: of two who send the same bytes neither replaces what the other sent. */
export function pieceKey(
  upload: ResumableRef,
  piece: { readonly startBytes: number; readonly writer: string },
): string {
  return `${piecesFolder(upload)}${String(piece.startBytes).padStart(offsetDigits, '0')}.${piece.writer}`
}

/** Where in its upload a piece begins. */
export function startOfPiece(key: string): number {
  return Number(key.slice(key.lastIndexOf('/') + 1, key.lastIndexOf('.')))
}

/** Whose a key below one of these two folders is; nothing where it is none of ours. */
export function resumableOf(key: string): ResumableRef | undefined {
  const [owner = '', resumableId = ''] = key.split('/').slice(2)
  return isOwner(owner) && isResumableId(resumableId) ? { owner, resumableId } : undefined
}
