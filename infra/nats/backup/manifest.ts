import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { codeOf } from '../../process/error-code.ts'
import { digestOf } from '../../speech/models/digest.ts'
import type { StreamFacts } from './stream-api.ts'

/** What is in a backup: written last, so that a folder with one is whole. */
export interface BackupManifest {
  readonly form: (typeof knownForms)[number]
  /** Of Vaak, when it was taken. */
  readonly version: string
  readonly takenAt: string
  readonly parts: readonly BackupPart[]
}

export interface BackupPart extends StreamFacts {
  readonly stream: string
  readonly sizeBytes: number
  readonly sha256: string
  /** What was written while it was taken, if anything was. */
  readonly later?: { readonly sha256: string }
}

/** A folder that is no backup, or not any more: said in a sentence. */
export class BadBackup extends Error {
  override readonly name = 'BadBackup'
}

/** The first had nothing of what was written meanwhile. */
const knownForms = [1, 2] as const
export const backupForm = 2
export const manifestFile = 'manifest.json'

/** Names become paths and subjects. */
const streamName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

const manifestSchema = z.object({
  form: z.literal(knownForms),
  version: z.string(),
  takenAt: z.string(),
  parts: z.array(
    z.object({
      stream: streamName,
      sizeBytes: z.int().nonnegative(),
      sha256: z.string(),
      later: z.object({ sha256: z.string() }).optional(),
      config: z.looseObject({ name: streamName }),
      state: z.looseObject({ messages: z.int().nonnegative() }),
    }),
  ),
})

export function partFile(stream: string): string {
  return `${stream}.snapshot`
}

export function laterFile(stream: string): string {
  return `${stream}.later`
}

export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
    throw new BadBackup(`${folder} is no backup: it has no ${manifestFile}. Give the folder that "vaak backup" made.`)
  })
  const read = manifestSchema.safeParse(parsed(text))
  if (!read.success)
    throw new BadBackup(
      `${folder}/${manifestFile} is damaged, or of a newer version of Vaak: this one knows forms ${knownForms.join(' and ')}.`,
    )
  // as: the broker's own words are looked into no further than needed, and go back to it as they are
  return read.data as unknown as BackupManifest
}

/** Before anything is changed by it. */
export async function checkPart(folder: string, { stream, sha256, later }: BackupPart): Promise<void> {
  await checkFile(join(folder, partFile(stream)), sha256)
  if (later) await checkFile(join(folder, laterFile(stream)), later.sha256)
}

async function checkFile(path: string, sha256: string): Promise<void> {
  const found = await digestOf(path, 'sha256', 'hex').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    throw new BadBackup(`${path} is missing. Nothing was changed; use another backup.`)
  })
  if (found === sha256) return
  throw new BadBackup(
    `${path} is damaged: its sha256 is not that of the manifest. Nothing was changed; use another backup.`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
