import { allBegun, allPieces, begunFolder, begunKey, pieceKey, piecesFolder, resumableOf } from './resumable-keys.ts'
import type { ResumableRef } from '../ids.ts'
import type { Clock, StoredObject } from '../ports.ts'
import { readStoredJson } from '../stored-json.ts'
import { cut, rowOf } from './pieces.ts'
import type { ObjectStorage, PieceWriter, ResumableUploads } from './ports.ts'
import type { ResumableUpload } from './state.ts'

interface ResumablePorts {
  readonly storage: ObjectStorage
  readonly clock: Clock
}

/** A gateway that is killed loses at most so much of what it was receiving; none of that was acknowledged. */
const pieceMaxBytes = 8 * 1024 * 1024

/** What is written of an upload when it begins. */
interface Begun extends ResumableUpload {
  readonly version: typeof begunVersion
}

const begunVersion = 1

/** That it was begun is stored before its first piece and removed before them: pieces of what nobody began are nobody's. */
export function openResumableUploads({ storage, clock }: ResumablePorts): ResumableUploads {
  const read = async (ref: ResumableRef): Promise<ResumableUpload | undefined> => {
    const begun = await readStoredJson<Partial<Begun>>(storage, begunKey(ref))
    // what a newer version wrote is left to it
    if (begun?.version !== begunVersion) return undefined
    const { version: _, ...upload } = begun
    return upload as ResumableUpload // as: of this version, so we wrote it
  }
  const isOver = ({ expiresAtMs }: ResumableUpload): boolean => expiresAtMs <= clock.nowMs()
  const drop = async (ref: ResumableRef): Promise<void> => {
    await storage.remove(begunKey(ref))
    await storage.removeAll(piecesFolder(ref))
  }
  const find = async (ref: ResumableRef): Promise<ResumableUpload | undefined> => {
    const upload = await read(ref)
    return upload && !isOver(upload) ? upload : undefined
  }
  return {
    async begin(upload) {
      const begun: Begun = { version: begunVersion, ...upload }
      await storage.put(begunKey(upload), { bytes: Buffer.from(JSON.stringify(begun)) }, { ifAbsent: true })
    },
    find,
    async of(owner) {
      const refs = await refsBelow(storage.list(begunFolder(owner)))
      const found = await Promise.all(refs.map(find))
      return found.filter((upload) => upload !== undefined)
    },
    async received(ref) {
      const pieces: StoredObject[] = []
      for await (const piece of storage.list(piecesFolder(ref))) pieces.push(piece)
      const { sizeBytes, wanted } = rowOf(pieces)
      const content = async function* (): AsyncIterable<Uint8Array> {
        for (const { key, skipBytes } of wanted) yield* await storage.open(key, { start: skipBytes })
      }
      return { sizeBytes, pieces: pieces.length, content }
    },
    append: (ref, at, source) => append(storage, { ref, at }, source),
    drop,
    async sweep() {
      let dropped = 0
      // pieces first: of what is begun meanwhile none of them is
      for (const ref of await refsBelow(storage.list(allPieces))) {
        if (await storage.stat(begunKey(ref))) continue
        await storage.removeAll(piecesFolder(ref))
        dropped += 1
      }
      for (const ref of await refsBelow(storage.list(allBegun))) {
        const upload = await read(ref)
        if (!upload || !isOver(upload)) continue
        await drop(ref)
        dropped += 1
      }
      return dropped
    },
  }
}

async function append(
  storage: ObjectStorage,
  { ref, at }: { readonly ref: ResumableRef; readonly at: PieceWriter },
  source: AsyncIterable<Uint8Array>,
): Promise<number> {
  const rest = cut(source)
  let startBytes = at.startBytes
  while (await rest.hasMore()) {
    let pieceBytes = 0
    const counted = async function* (): AsyncIterable<Uint8Array> {
      for await (const bytes of rest.next(pieceMaxBytes)) {
        pieceBytes += bytes.length
        yield bytes
      }
    }
    await storage.write(pieceKey(ref, { ...at, startBytes }), counted())
    startBytes += pieceBytes
  }
  return startBytes
}

/** Each once, in the order of their keys. */
async function refsBelow(objects: AsyncIterable<StoredObject>): Promise<ResumableRef[]> {
  const refs = new Map<string, ResumableRef>()
  for await (const { key } of objects) {
    const ref = resumableOf(key)
    if (ref) refs.set(ref.resumableId, ref)
  }
  return [...refs.values()]
}
