import { crc32, inflateRawSync } from 'node:zlib'

/** Reads an archive as other programs do: from the list at its end. Throws where that and the entries differ. */
export function unzip(archive: Buffer): [name: string, content: string][] {
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('the list at the end is missing')
  const count = archive.readUInt16LE(end + 10)
  const entries: [string, string][] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error(`entry ${index} is not in the list`)
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.subarray(at + 46, at + 46 + nameBytes)
    entries.push([name.toString(), entryAt(archive, archive.readUInt32LE(at + 42), archive.subarray(at + 6, at + 32))])
    at += 46 + nameBytes
  }
  if (at !== end) throw new Error('there is more in the list than entries')
  return entries
}

/** `facts` are those of the list. */
function entryAt(archive: Buffer, at: number, facts: Buffer): string {
  if (archive.readUInt32LE(at) !== 0x04034b50) throw new Error('an entry is not where the list says')
  if (!archive.subarray(at + 4, at + 30).equals(facts)) throw new Error('the list says other things than the entry')
  const from = at + 30 + archive.readUInt16LE(at + 26)
  const packed = archive.subarray(from, from + archive.readUInt32LE(at + 18))
  // folders are kept as they are
  const content = archive.readUInt16LE(at + 8) === 0 ? packed : inflateRawSync(packed)
  if (crc32(content) !== archive.readUInt32LE(at + 14)) throw new Error('an entry is damaged')
  if (content.length !== archive.readUInt32LE(at + 22)) throw new Error('an entry has another size')
  return content.toString()
}
