import type { ChaosCaller } from '../clients/caller.ts'
import type { Ledger } from '../clients/ledger.ts'
import type { History } from '../history.ts'

const limit = 100

/** The files of one user, page by page, against what was promised. */
export async function checkListing(caller: ChaosCaller, input: { ledger: Ledger; history: History }): Promise<void> {
  const { ledger, history } = input
  const shown: string[] = []
  for (let page = 1; ; page += 1) {
    const answer = await caller.insist({ verb: 'list', method: 'GET', path: `/files?limit=${limit}&page=${page}` })
    if (answer?.status !== 200) return history.complain('listing', `${caller.user} could not list files`)
    shown.push(...answer.body.files.map((file: { file_id: string }) => file.file_id))
    if (page >= answer.body.total_pages) break
  }
  const own = new Map([...ledger.files].filter(([, { user }]) => user === caller.user))
  const there = [...own].filter(([, { life }]) => life === 'there').map(([fileId]) => fileId)
  const unanswered = ledger.keys.size - ledger.answered()
  const strangers = shown.filter((fileId) => ledger.files.has(fileId) && !own.has(fileId))
  const unknown = shown.filter((fileId) => !ledger.files.has(fileId))
  const twice = shown.filter((fileId, at) => shown.indexOf(fileId) !== at)
  const deleted = shown.filter((fileId) => own.get(fileId)?.life === 'deleted')
  const missing = there.filter((fileId) => !shown.includes(fileId))
  const complain = (what: string, fileIds: readonly string[]): void => {
    if (fileIds.length > 0) history.complain('listing', `${caller.user}: ${what} ${fileIds.slice(0, 5).join(', ')}`)
  }
  complain('sees files of others:', strangers)
  complain('sees files twice:', twice)
  complain('sees deleted files:', deleted)
  complain('does not see:', missing)
  if (unanswered === 0) complain('sees files that nobody was told of:', unknown)
}
