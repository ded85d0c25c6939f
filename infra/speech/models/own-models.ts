import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { z } from 'zod'

import { terminal } from '../../../actors/failure.ts'
import type { Model } from './model.ts'

/** A Whisper export as transformers.js lays it out, of whatever size. */
export const whisperExport = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'onnx/encoder_model_quantized.onnx',
  'onnx/decoder_model_merged_quantized.onnx',
] as const

const catalogueName = 'catalogue.json'
const name = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** What the operator adds in MODEL_DIR: rows of a catalogue of their own, and folders with a Whisper export. */
export async function ownModels(modelDir: string, known: readonly Model[]): Promise<Model[]> {
  const rows = await readRows(join(modelDir, catalogueName), known)
  const taken = new Set([...known, ...rows].map(({ folder }) => folder))
  const folders = (await readdir(modelDir).catch(() => [])).filter((folder) => name.test(folder) && !taken.has(folder))
  const found = await Promise.all(folders.sort().map((folder) => exportIn(modelDir, folder)))
  return [...rows, ...found.filter((model) => model !== undefined)]
}

async function exportIn(modelDir: string, folder: string): Promise<Model | undefined> {
  const sizes = await Promise.all(whisperExport.map((path) => sizeOf(join(modelDir, folder, ...path.split('/')))))
  if (sizes[0] === undefined) return undefined
  return {
    id: folder,
    folder,
    languages: ['multilingual'],
    licence: 'not stated',
    source: { kind: 'own' },
    files: whisperExport.map((path, index) => ({ path, sizeBytes: sizes[index] ?? 0, sha256: null })),
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  const facts = await stat(path).catch(() => undefined)
  return facts?.isFile() ? facts.size : undefined
}

const rowSchema = z.strictObject({
  id: z.string().regex(name, 'letters, digits, dots, dashes and underscores are expected'),
  languages: z.array(z.string()).default(['multilingual']),
  licence: z.string().default('not stated'),
  source: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('hub'),
      repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'owner/name is expected'),
      revision: z.string().regex(/^[0-9a-f]{40}$/, 'the 40 digits of a commit are expected'),
    }),
    z.strictObject({
      kind: z.literal('package'),
      name: z.string(),
      version: z.string(),
      integrity: z.string().regex(/^sha512-/, 'sha512-… is expected'),
      sizeBytes: z.int().positive(),
      root: z.string(),
    }),
    z.strictObject({ kind: z.literal('folder') }),
  ]),
  files: z
    .array(
      z.strictObject({
        path: z.string().regex(/^(?!\.)[\w.-]+(\/(?!\.)[\w.-]+)*$/, 'a path below the folder is expected'),
        sizeBytes: z.int().positive(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits are expected'),
      }),
    )
    .min(1),
})

async function readRows(path: string, known: readonly Model[]): Promise<Model[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return '[]'
    throw terminal('invalid_request', `${path} cannot be read: ${String(error)}`, error)
  })
  const rows = z.array(rowSchema).safeParse(jsonOf(text, path))
  if (!rows.success) throw terminal('invalid_request', `${path}: ${inWords(rows.error.issues[0])}`)
  const taken = new Set(known.flatMap(({ id, folder }) => [id, folder]))
  for (const { id } of rows.data) {
    if (taken.has(id)) throw terminal('invalid_request', `${path}: the id ${id} is taken; give the model another one`)
    taken.add(id)
  }
  return rows.data.map((row) => ({ ...row, folder: row.id }))
}

function inWords(issue: z.core.$ZodIssue | undefined): string {
  const [row, ...field] = issue?.path ?? []
  const where = typeof row === 'number' ? `row ${[row + 1, ...field].join('.')}: ` : ''
  return where + (issue?.message ?? '')
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw terminal('invalid_request', `${path} is not JSON: ${error instanceof Error ? error.message : ''}`, error)
  }
}
