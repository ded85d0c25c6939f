import { terminal } from '../failure.ts'
import type { FailureError } from '../failure.ts'
import { fileLinksFolder, linkKey, runKey } from '../ids.ts'
import type { RunRef } from '../ids.ts'
import type { Blobs, Clock, Records } from '../ports.ts'
import { hasWords } from '../run/state.ts'
import type { RunState } from '../run/state.ts'
import { readStoredJson } from '../stored-json.ts'
import { readShareLinkText, shareLinkText } from './link-text.ts'
import type { LinkMarks, OpenedShareLink, ShareLinks } from './ports.ts'
import { shareLinkLimits } from './state.ts'
import type { ShareLink, StoredShareLink } from './state.ts'

interface ShareLinkPorts {
  readonly runs: Pick<Records<RunState>, 'read'>
  readonly blobs: Pick<Blobs, 'open' | 'put' | 'list' | 'remove'>
  readonly clock: Pick<Clock, 'nowMs'>
  readonly marks: LinkMarks
}

const msPerDay = 86_400_000

/**
 * A link is an object beside the transcript that it shows, and goes with it. Nothing of it is kept in memory: who revokes one
 * removes the object, and the next who comes with it finds none.
 */
export function openShareLinks(ports: ShareLinkPorts): ShareLinks {
  return {
    make: (run, wish) => make(ports, run, wish),
    async listOf(file) {
      const found = await linksOf(ports, file)
      return found.map(({ link }) => link).filter((link) => !hasLinkEnded(link, ports.clock.nowMs()))
    },
    async revoke(file, linkId) {
      for (const key of await keysOf(ports, file)) if (key.endsWith(`/${linkId}`)) return ports.blobs.remove(key)
      return false
    },
    open: (text) => open(ports, text),
  }
}

async function make(
  ports: ShareLinkPorts,
  run: RunState,
  { days, withAudio }: { readonly days: number; readonly withAudio: boolean },
): ReturnType<ShareLinks['make']> {
  const { blobs, clock, marks, runs } = ports
  await makeRoom(ports, run)
  const [linkId, secret, createdAtMs] = [marks.newLinkId(), marks.newSecret(), clock.nowMs()]
  const link: ShareLink = { linkId, createdAtMs, untilMs: createdAtMs + days * msPerDay, withAudio }
  const stored: StoredShareLink = { ...link, mark: marks.markOf(contentOf(run, link, secret)) }
  const key = linkKey(run, linkId)
  await blobs.put(key, { bytes: Buffer.from(JSON.stringify(stored)) }, { ifAbsent: true })
  // two who came at once saw the same room: both look again, and nobody has been given a link yet
  if ((await keysOf(ports, run)).length > shareLinkLimits.perFile) {
    await blobs.remove(key)
    throw tooManyLinks()
  }
  if (hasWords((await runs.read(runKey(run)))?.value))
    return { ...link, text: shareLinkText({ ...run, linkId, secret }) }
  // it was deleted meanwhile (I12)
  await blobs.remove(key)
  return undefined
}

/** Those that have ended give way. */
async function makeRoom(ports: ShareLinkPorts, run: RunState): Promise<void> {
  const found = await linksOf(ports, run)
  const ended = found.filter(({ link }) => hasLinkEnded(link, ports.clock.nowMs()))
  for (const { key } of ended) await ports.blobs.remove(key)
  if (found.length - ended.length >= shareLinkLimits.perFile) throw tooManyLinks()
}

async function open({ runs, blobs, marks, clock }: ShareLinkPorts, text: string): Promise<OpenedShareLink> {
  const parts = readShareLinkText(text)
  if (!parts) throw terminal('unauthenticated', 'The share link is incomplete. Open it as it was sent to you.')
  const run = (await runs.read(runKey(parts)))?.value
  const link = run && hasWords(run) && (await readStoredJson<StoredShareLink>(blobs, linkKey(run, parts.linkId)))
  // by the id that it was asked for: an object under another name is another link
  if (!link || !marks.isMark(contentOf(run, { ...link, linkId: parts.linkId }, parts.secret), link.mark))
    throw terminal(
      'unauthenticated',
      'This share link opens nothing: it was revoked, or what it showed was deleted. Ask for a new one.',
    )
  if (hasLinkEnded(link, clock.nowMs()))
    throw terminal('unauthenticated', 'This share link has expired. Ask for a new one.')
  return { link, run }
}

/** The oldest first. */
async function linksOf(
  ports: ShareLinkPorts,
  file: Pick<RunRef, 'owner' | 'fileId'>,
): Promise<{ readonly key: string; readonly link: StoredShareLink }[]> {
  const found = await Promise.all(
    (await keysOf(ports, file)).map(async (key) => {
      const link = await readStoredJson<StoredShareLink>(ports.blobs, key)
      return link ? [{ key, link }] : []
    }),
  )
  return found.flat().sort((one, other) => one.link.createdAtMs - other.link.createdAtMs)
}

async function keysOf({ blobs }: ShareLinkPorts, file: Pick<RunRef, 'owner' | 'fileId'>): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of blobs.list(fileLinksFolder(file))) keys.push(key)
  return keys
}

function contentOf({ owner, fileId, batchId }: Omit<RunRef, 'index'>, link: ShareLink, secret: Buffer): string {
  const { linkId, createdAtMs, untilMs, withAudio } = link
  return JSON.stringify([owner, fileId, batchId, linkId, createdAtMs, untilMs, withAudio, secret.toString('base64url')])
}

function hasLinkEnded({ untilMs }: ShareLink, nowMs: number): boolean {
  return untilMs <= nowMs
}

function tooManyLinks(): FailureError {
  const { perFile } = shareLinkLimits
  return terminal('conflict', `This file has ${perFile} share links, which is the limit. Revoke one that is not used.`)
}
