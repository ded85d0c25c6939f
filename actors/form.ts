import { acceptedBatch } from './batch/state.ts'
import type { BatchRecord, Members } from './batch/state.ts'
import type { ContinuedRun, RunState, Source, SourceOptions, TranscribeSettings } from './run/state.ts'
import type { UploadedFile, UploadInHand } from './upload/state.ts'

/**
 * Which form a message or a record has. Who knows fewer forms leaves it to somebody newer, while versions run side by side. What says
 * nothing is of the first.
 */
export const firstForm = 1
export const newestForm = 3

/**
 * The form that knows a setting. An older worker would leave out what was asked for, and a transcript that is not redacted cannot be
 * taken back: so work that has the setting is not for it. A new setting is of a new form, once the newest is in a release.
 */
const formOfSetting: Readonly<Record<keyof TranscribeSettings, number>> = {
  language: 1,
  profile: 1,
  hotwords: 1,
  script: 1,
  channels: 1,
  speakers: 1,
  redact: 2,
  keepUnredacted: 2,
  redactAudio: 2,
  saidText: 2,
  vocabulary: 2,
  after: 3,
}

export function formOfBatch(record: BatchRecord): number {
  const batch = acceptedBatch(record)
  if (!batch) return firstForm
  return Math.max(batch.callbackHeaders ? 2 : firstForm, formOfSettings(batch.settings))
}

export function formOfMembers({ files }: Members): number {
  return Math.max(firstForm, ...files.map((file) => (file ? formOfSource(file) : firstForm)))
}

export function formOfRun(run: RunState): number {
  return Math.max(formOfSettings(run.settings), formOfSource(run))
}

/** Who does not know that several files refer to one object would delete it with one of them, or leave it with the last. */
export function formOfFile(file: UploadedFile): number {
  return 'isShared' in file && file.isShared ? 3 : firstForm
}

/** Who knows no hashes would clear a folder away that others may refer to by now. */
export function formOfInHand({ isStreamed, hashes }: UploadInHand): number {
  return isStreamed && hashes?.some((sha256) => sha256 !== null) ? 3 : firstForm
}

function formOfSettings(settings: TranscribeSettings): number {
  const names = Object.keys(settings) as (keyof TranscribeSettings)[]
  const forms = names.filter((name) => settings[name] !== undefined).map((name) => formOfSetting[name])
  return Math.max(settings.channels === 'auto' ? 2 : firstForm, ...forms)
}

function formOfSource({ part, again, source }: SourceOptions & ContinuedRun & { readonly source: Source }): number {
  return part || again || (source.type === 'url' && source.headers) ? 2 : firstForm
}
