import test from 'ava'
import type { ExecutionContext } from 'ava'

import { linkKey, runKey } from '../../actors/ids.ts'
import { removeRunObjects } from '../../actors/run/remove-objects.ts'
import type { RunState } from '../../actors/run/state.ts'
import { readShareLinkText, shareLinkText } from '../../actors/share-link/link-text.ts'
import { openShareLinks } from '../../actors/share-link/share-links.ts'
import { shareLinkLimits } from '../../actors/share-link/state.ts'
import { readStoredJson } from '../../actors/stored-json.ts'
import { auditEventOf } from '../../gateway/audited.ts'
import { openLinkMarks } from '../../infra/identity/link-marks.ts'
import { aRun, nowMs } from '../support/batch-builders.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aMemoryStorage } from '../support/memory-blobs.ts'
import { memoryRecords } from '../support/memory-records.ts'

const dayMs = 86_400_000
const wish = { days: 1, withAudio: false }
const marks = openLinkMarks({ text: 'a secret of this house' })
const finished = { phase: 'finished', outcome: 'completed', attempt: 1, finishedAtMs: nowMs, errors: [] } as const

async function aSharer(given = marks) {
  const storage = aMemoryStorage()
  const runs = memoryRecords<RunState>()
  const [run, other] = [aRun(finished), aRun(finished)]
  for (const one of [run, other]) await runs.create(runKey(one), one)
  const clock = aManualClock()
  const links = openShareLinks({ runs, blobs: storage.blobs, clock, marks: given })
  return { storage, runs, run, other, clock, links }
}

const idsOf = ({ fileId, batchId }: RunState) => ({ fileId, batchId })

async function opensNothing(t: ExecutionContext, opening: Promise<unknown>, reason = /./): Promise<void> {
  const error = await t.throwsAsync(opening, { message: reason })
  t.like(error, { failure: { kind: 'terminal', code: 'unauthenticated' } })
}

test('a share link opens its transcript and says what it allows, until its time is over', async (t) => {
  const { links, run, clock } = await aSharer()
  const made = (await links.make(run, { days: 2, withAudio: true }))!
  t.like(await links.open(made.text), { run, link: { linkId: made.linkId, withAudio: true } })
  t.is(made.untilMs - made.createdAtMs, 2 * dayMs)
  clock.advance(2 * dayMs - 1)
  await t.notThrowsAsync(links.open(made.text))
  clock.advance(1)
  await opensNothing(t, links.open(made.text), /has expired/)
  t.deepEqual(await links.listOf(run), [])
})

test('a share link that is revoked opens nothing at once, and others go on', async (t) => {
  const { links, run } = await aSharer()
  const [one, two] = [(await links.make(run, wish))!, (await links.make(run, wish))!]
  t.true(await links.revoke(run, one.linkId))
  await opensNothing(t, links.open(one.text), /revoked/)
  await t.notThrowsAsync(links.open(two.text))
  t.false(await links.revoke(run, one.linkId))
  t.deepEqual(
    (await links.listOf(run)).map(({ linkId }) => linkId),
    [two.linkId],
  )
})

test('no other text opens what a share link opens, however little it differs', async (t) => {
  const { links, run, other } = await aSharer()
  const { text } = (await links.make(run, wish))!
  const theirs = (await links.make(other, wish))!.text
  for (let at = 0; at < text.length; at += 1)
    await opensNothing(t, links.open(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)))
  // the secret of one and the ids of another
  const ids = Math.ceil(((16 + 16 + 8) * 8) / 6) + 'share_'.length
  for (const mixed of [text.slice(0, ids) + theirs.slice(ids), theirs.slice(0, ids) + text.slice(ids)])
    await opensNothing(t, links.open(mixed))
  for (const odd of [
    '',
    'share_',
    text.slice(0, -1),
    `${text}A`,
    `${text}=`,
    text.toUpperCase(),
    'share_'.padEnd(102, '-'),
  ])
    await opensNothing(t, links.open(odd))
})

test('storage has neither the secret of a link nor a way to make one last longer, or show something else', async (t) => {
  const { links, run, other, storage } = await aSharer()
  const { text, linkId } = (await links.make(run, wish))!
  const stored = (await readStoredJson<Record<string, unknown>>(storage.blobs, linkKey(run, linkId)))!
  t.deepEqual(Object.keys(stored).toSorted(), ['createdAtMs', 'linkId', 'mark', 'untilMs', 'withAudio'])
  t.false(JSON.stringify(stored).includes(text.slice(-40)))
  const put = (key: string, content: object) => storage.blobs.put(key, { bytes: Buffer.from(JSON.stringify(content)) })
  for (const change of [{ untilMs: Number.MAX_SAFE_INTEGER }, { withAudio: true }, { mark: '' }, { mark: null }]) {
    await put(linkKey(run, linkId), { ...stored, ...change })
    await opensNothing(t, links.open(text))
  }
  await put(linkKey(run, linkId), stored)
  await t.notThrowsAsync(links.open(text))
  await put(linkKey(other, linkId), stored)
  await opensNothing(t, links.open(shareLinkText({ ...readShareLinkText(text)!, ...idsOf(other) })))
  const forged = await aSharer(openLinkMarks({ text: 'of another house' }))
  await forged.runs.create(runKey(run), run)
  await forged.storage.blobs.put(linkKey(run, linkId), { bytes: Buffer.from(JSON.stringify(stored)) })
  await opensNothing(t, forged.links.open(text))
})

test('a file has no more share links than the limit, also when many are made at once; those that ended give way', async (t) => {
  const { links, run, clock } = await aSharer()
  const many = Array.from({ length: shareLinkLimits.perFile + 5 }, () => links.make(run, wish))
  const made = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled')
  t.true(made.length <= shareLinkLimits.perFile)
  while ((await links.listOf(run)).length < shareLinkLimits.perFile) await links.make(run, wish)
  const refused = await t.throwsAsync(links.make(run, wish), { message: /20 share links, which is the limit/ })
  t.like(refused, { failure: { code: 'conflict' } })
  clock.advance(dayMs)
  t.truthy(await links.make(run, wish))
  t.is((await links.listOf(run)).length, 1)
})

test('share links go with what they show, also one that is made while it is deleted', async (t) => {
  const { links, run, runs, storage } = await aSharer()
  const { text } = (await links.make(run, wish))!
  const stored = (await runs.read(runKey(run)))!
  await runs.replace(runKey(run), { ...run, progress: { phase: 'gone' } }, stored.revision)
  await opensNothing(t, links.open(text))
  t.is(await links.make(run, wish), undefined)
  await removeRunObjects(storage.blobs, run)
  t.deepEqual(storage.keys(), [])
})

test('what is read with a share link is written down with the link, by nobody', async (t) => {
  const { links, run } = await aSharer()
  const shared = await links.open((await links.make(run, wish))!.text)
  const answered = { requestId: 'r', caller: undefined, objects: [], status: 200, from: '192.0.2.1', shared }
  t.like(auditEventOf({ ...answered, route: 'readShared' }), {
    who: 'nobody',
    linkId: shared.link.linkId,
    what: 'readShared',
    objects: [run.fileId],
  })
})
