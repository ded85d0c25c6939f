import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Throws unless each of the files has the bytes that are known of it, before anybody loads them. */
export async function checkFiles(
  folder: string,
  known: ReadonlyMap<string, string>,
  files: readonly string[],
): Promise<void> {
  for (const file of files) {
    const hash = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')
    if (known.get(file) !== hash)
      throw new Error(
        `${join(folder, file)} is not the file that this version of Vaak was made with. Install it again (in a checkout: npm ci).`,
      )
  }
}
