import { readFile, stat } from 'node:fs/promises'

import type { LocalJWKSet } from 'jose'

import type { AudioDigest } from '../../actors/receipt/state.ts'
import type { Config } from '../config/config.ts'
import { isNestedDeeper } from '../receipt/nesting.ts'
import { receivedFile } from '../receipt/received-file.ts'
import type { ReceiptFinding, ReceivedFile } from '../receipt/received-file.ts'
import { printable } from '../telemetry/printable.ts'
import { textOption } from './choose.ts'
import { publicUrl, reaching } from './client/connect.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const mebibyte = 1024 * 1024
/** Of hours of speech with every word there are a few. */
const transcriptMaxBytes = 256 * mebibyte
const keySetMaxBytes = mebibyte
/** A transcript has some ten. */
const levelsMax = 64
const keysTimeoutMs = 10_000
const wellKnown = '/.well-known/jwks.json'

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Prove what a transcript was made of, or name what differs.',
  examples: `  vaak download --file FILE_ID --receipt --output talk.json
  vaak verify talk.json talk.mp3
`,
  help: `Usage: vaak verify TRANSCRIPT [RECORDING] [options]

TRANSCRIPT is what "vaak download --receipt --format json" wrote: a file, or a batch in
which RECORDING is looked for. Looks whether the receipt was signed by the service, whether RECORDING
is the one that was transcribed, and whether the transcript is as it was transcribed.
Exits with 1 when one of them is not so, and says what differs: also of a transcript that was edited.

  --keys FILE|URL  the keys of the service: what ${wellKnown} says, kept in a
                   file to ask nobody; default: asks the server
  --json           print the findings as JSON

The server is VAAK_URL (default http://127.0.0.1:8080), or that of "vaak login".
`,
  options: { keys: { type: 'string' }, json: { type: 'boolean' } },
  operands: true,
  async run({ config, options, operands }) {
    const [path, recording] = operands
    if (path === undefined || operands.length > 2)
      throw new UsageError('Which transcript? Try: vaak verify TRANSCRIPT RECORDING')
    const audio = recording === undefined ? undefined : await audioDigest(recording)
    const file = receivedIn(parsed(await readText(path, transcriptMaxBytes), path), path, audio)
    const keys = await keySetAt(config, textOption(options, 'keys'))
    const { verifyReceipt } = await import('../receipt/verify.ts')
    const findings = await verifyReceipt({ file, audio, keys })
    process.stdout.write(options['json'] === true ? `${JSON.stringify(findings)}\n` : readable(findings))
    if (findings.some(({ holds }) => !holds)) process.exitCode = 1
  },
}

function readable(findings: readonly ReceiptFinding[]): string {
  return findings.map(({ holds, sentence }) => `${holds ? 'proven ' : 'differs'}  ${printable(sentence)}\n`).join('')
}

/** The file itself, or that of a batch whose receipt is of the recording. */
function receivedIn(document: unknown, path: string, audio: AudioDigest | undefined): ReceivedFile {
  const isBatch = typeof document === 'object' && document !== null && 'files' in document
  const all = isBatch && Array.isArray(document.files) ? document.files : [document]
  const files = all.flatMap((one) => receivedFile.safeParse(one).data ?? [])
  const [first] = files
  if (!first)
    throw new UsageError(
      `${printable(path)} is no transcript with a receipt. Fetch it with: vaak download --file FILE_ID --receipt`,
    )
  return files.find(({ receipt }) => receipt.content.audio.sha256 === audio?.sha256) ?? first
}

function parsed(text: string, path: string): unknown {
  const document = inJson(text, path)
  if (isNestedDeeper(document, levelsMax))
    throw new UsageError(`${printable(path)} is nested deeper than ${levelsMax} levels, and no transcript is.`)
  return document
}

function inJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${printable(path)} is no JSON.`)
  }
}

async function audioDigest(path: string): Promise<AudioDigest> {
  const { digestOf } = await import('../speech/models/digest.ts')
  try {
    return { sha256: await digestOf(path, 'sha256', 'hex'), size_bytes: (await stat(path)).size }
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function keySetAt(config: Config, place: string | undefined): Promise<LocalJWKSet> {
  const { fetchJwks, keySetIn } = await import('../identity/fetch-jwks.ts')
  const address = place ?? `${publicUrl(config)}${wellKnown}`
  if (!/^https?:\/\//.test(address)) {
    const text = await readText(address, keySetMaxBytes)
    try {
      return keySetIn(text)
    } catch {
      throw new UsageError(`${printable(address)} is no JSON Web Key Set.`)
    }
  }
  const limits = { timeoutMs: keysTimeoutMs, maxBytes: keySetMaxBytes }
  const answer = await fetchJwks({ url: new URL(address), fetch: reaching(address), ...limits })
  if ('trouble' in answer) throw new Error(`The keys at ${printable(address)} cannot be had: ${answer.trouble}.`)
  return answer.keys
}

async function readText(path: string, maxBytes: number): Promise<string> {
  const facts = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (facts.size > maxBytes)
    throw new UsageError(`${printable(path)} has ${facts.size} bytes, and at most ${maxBytes} are read.`)
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
}

function unreadable(path: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new UsageError(`${printable(path)} cannot be read (${code}).`)
}
