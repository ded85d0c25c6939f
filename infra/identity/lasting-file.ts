import { randomUUID } from 'node:crypto'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

interface LastingFile {
  readonly folder: string
  readonly name: string
  /** For complaints: `The development key`. */
  readonly what: string
  readonly make: () => string
}

const maxFileBytes = 4_096

/** A secret that is made once: the first to ask writes it, and every process that ever asks gets that same one. */
export async function lastingFile(file: LastingFile): Promise<string> {
  return (await read(file)) ?? create(file)
}

function pathOf({ folder, name }: LastingFile): string {
  return join(folder, name)
}

async function read(file: LastingFile): Promise<string | undefined> {
  const path = pathOf(file)
  try {
    await using handle = await open(path, 'r')
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(maxFileBytes), 0, maxFileBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw new Error(`${file.what} ${path} cannot be read: ${String(error)}.`, { cause: error })
  }
}

async function create(file: LastingFile): Promise<string> {
  const path = pathOf(file)
  try {
    await mkdir(file.folder, { recursive: true, mode: 0o700 })
    await putInPlace(file)
    await syncFolder(file.folder)
  } catch (error) {
    throw new Error(`${file.what} ${path} cannot be created: ${String(error)}. Make its folder writable.`, {
      cause: error,
    })
  }
  const made = await read(file)
  if (made === undefined) throw new Error(`${file.what} ${path} was removed while it was being created.`)
  return made
}

/** Written aside and linked into place: a link never replaces, so of several creators the first wins, and whole. */
async function putInPlace(file: LastingFile): Promise<void> {
  const aside = join(file.folder, `.${file.name}.${randomUUID()}`)
  try {
    await writeDurably(aside, file.make())
    await link(aside, pathOf(file))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
