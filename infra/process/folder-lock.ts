import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import { codeOf } from './error-code.ts'
import { isRunning, processIdentitySchema, thisProcess } from './process-identity.ts'

/**
 * One living process per folder. The lock is a row of numbered files, and whoever owns the highest number holds it. A
 * number is taken by `link`, which only one of several contenders can do, and the highest is never removed, only marked
 * as released: so two that find the same dead holder cannot both succeed it, as they could by deleting and re-creating
 * one file. It holds between processes that see each other's pids, not between containers that share the folder.
 */
interface FolderLock {
  release(): Promise<void>
}

const holderSchema = z.object({ holder: processIdentitySchema, purpose: z.string(), released: z.boolean() })
type Holder = z.infer<typeof holderSchema>

const namePattern = /^\.lock-(\d{1,15})$/
const attemptsMax = 100
const lookAgainMs = 100

/** With patience, for a holder that is about to end: a role whose parent was killed finishes what it has begun. */
export async function lockFolder(folder: string, purpose: string, patienceMs = 0): Promise<FolderLock> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await lockNow(folder, purpose)
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() > deadline) throw error
    }
    await pause(lookAgainMs)
  }
}

export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

async function lockNow(folder: string, purpose: string): Promise<FolderLock> {
  const path = resolve(folder)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const me: Holder = { holder: thisProcess(), purpose, released: false }
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const highest = (await numbersIn(path)).at(-1) ?? 0
    const holder = highest === 0 ? undefined : await holderOf(path, highest)
    if (holder && !holder.released && isRunning(holder.holder))
      throw new FolderInUse(
        `${path} is in use by process ${holder.holder.pid} (${holder.purpose}). ` +
          'Stop that process, or choose another DATA_DIR.',
      )
    const mine = highest + 1
    if (!(await take(path, mine, me))) continue
    if (await isMineHighest(path, mine)) return { release: () => write(path, mine, { ...me, released: true }) }
  }
  throw new Error(`${path} could not be locked in ${attemptsMax} tries: too many processes contend for it`)
}

/** True when the number was free. The content is complete from the moment the name exists. */
async function take(path: string, number: number, content: Holder): Promise<boolean> {
  const draft = await writeDraft(path, number, content)
  try {
    await link(draft, nameOf(path, number))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** A slow contender can take a low number that was cleaned away meanwhile; then it gives that back and looks again. */
async function isMineHighest(path: string, mine: number): Promise<boolean> {
  const numbers = await numbersIn(path)
  const won = numbers.at(-1) === mine
  const obsolete = won ? numbers.filter((number) => number < mine) : [mine]
  await Promise.all(obsolete.map((number) => rm(nameOf(path, number), { force: true })))
  return won
}

async function write(path: string, number: number, content: Holder): Promise<void> {
  await rename(await writeDraft(path, number, content), nameOf(path, number))
}

async function writeDraft(path: string, number: number, content: Holder): Promise<string> {
  const draft = join(path, `.lock-${number}.${process.pid}.${draftCount++}.tmp`)
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 })
  return draft
}

let draftCount = 0

/** Undefined when it is gone, or empty after a power cut. What we may not read could have a living holder: an error. */
async function holderOf(path: string, number: number): Promise<Holder | undefined> {
  const text = await readFile(nameOf(path, number), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  })
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

async function numbersIn(path: string): Promise<number[]> {
  const names = await readdir(path)
  return names
    .flatMap((name) => namePattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((one, other) => one - other)
}

function nameOf(path: string, number: number): string {
  return join(path, `.lock-${number}`)
}
