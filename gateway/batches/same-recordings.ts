import type { Member } from '../../actors/batch/state.ts'
import type { FileId, Owner } from '../../actors/ids.ts'
import type { Records } from '../../actors/ports.ts'
import type { RunState, TranscribeSettings } from '../../actors/run/state.ts'
import { contentKey } from '../../actors/upload/state.ts'
import type { CompletedFile, Content } from '../../actors/upload/state.ts'

export interface SameRecordingPorts {
  readonly contents: Pick<Records<Content>, 'readMany'>
  readonly runs: Pick<Records<RunState>, 'readManyUnder'>
}

/** Of files with the same bytes, the newest so many are looked at. */
const lookedMax = 8

interface SubmittedFiles {
  readonly owner: Owner
  readonly members: readonly Member[]
  /** Those of them that share their bytes with others. */
  readonly shared: readonly CompletedFile[]
  readonly settings: TranscribeSettings
}

/**
 * Files whose bytes were transcribed as another file of their user, in the same way, are told of that: whoever begins them takes its results over
 * where they are there. Costs nothing where no file shares its bytes.
 */
export async function withSameRecordings(ports: SameRecordingPorts, input: SubmittedFiles): Promise<Member[]> {
  const { owner, members, shared, settings } = input
  if (shared.length === 0 || !mayBeTakenOver(settings)) return [...members]
  const contents = await ports.contents.readMany(shared.map(contentKey))
  const othersOf = new Map(
    shared.map((file) => {
      const holders = contents.get(contentKey(file))?.holders ?? []
      return [file.fileId, holders.filter((fileId) => fileId !== file.fileId).slice(-lookedMax)] as const
    }),
  )
  const runs = await ports.runs.readManyUnder([...new Set([...othersOf.values()].flat())])
  const fit = [...runs.values()].filter((run) => run.owner === owner && isWhole(run) && isAlike(run.settings, settings))
  return members.map((member) => {
    const others = new Set<FileId>(othersOf.get(member.fileId))
    const [newest] = fit
      .filter((run) => others.has(run.fileId) && JSON.stringify(run.part) === JSON.stringify(member.part))
      .sort((one, other) => other.acceptedAtMs - one.acceptedAtMs)
    return newest ? { ...member, sameAs: { fileId: newest.fileId, batchId: newest.batchId } } : member
  })
}

/** Of what is redacted no parts are kept, and a text that was given is not recognised. */
function mayBeTakenOver({ redact, saidText }: TranscribeSettings): boolean {
  return redact === undefined && saidText === undefined
}

/** What was transcribed again for some words is not what anybody else asked for. */
function isWhole({ progress, again }: RunState): boolean {
  return progress.phase === 'finished' && progress.outcome === 'completed' && !progress.isExpired && again === undefined
}

/** What is written about a transcript does not change it. */
function isAlike(one: TranscribeSettings, other: TranscribeSettings): boolean {
  return textOf(one) === textOf(other)
}

function textOf(settings: TranscribeSettings): string {
  const { after: _, ...heard } = settings
  return JSON.stringify(Object.entries(heard).sort(([one], [other]) => (one < other ? -1 : 1)))
}
