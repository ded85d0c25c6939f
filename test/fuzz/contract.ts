import { startService } from '../bench/service.ts'
import type { BenchService } from '../bench/service.ts'
import { createRandom } from '../sim/random.ts'
import { readDocument } from './document.ts'
import { openFuzzJudge } from './judge.ts'
import type { FuzzJudge } from './judge.ts'
import { aRequest, shown } from './request.ts'
import type { Making } from './draft.ts'
import { tellsForeign } from './twin.ts'
import { openWire } from './wire.ts'
import type { FuzzWire } from './wire.ts'
import { openWorld } from './world.ts'

export interface ContractRun {
  readonly seed: number
  /** The first request; those before it are not sent. */
  readonly from: number
  readonly requests: number
}

export interface ContractReport {
  readonly failures: readonly ContractFailure[]
  readonly sent: number
  readonly seconds: number
  readonly statuses: ReadonlyMap<string, number>
  readonly changes: ReadonlyMap<string, number>
  /** Of what is documented, each as method, path and status. */
  readonly reached: ReadonlySet<string>
  readonly documented: number
  /** Methods and addresses of which nobody had an answer that is documented. */
  readonly unreached: readonly string[]
  /** Those that never did what they are there for. */
  readonly unsuccessful: readonly string[]
  readonly memoryMb: readonly [before: number, after: number]
}

export interface ContractFailure {
  readonly index: number
  readonly complaints: readonly string[]
  readonly request: string
}

const lanes = 16
const failuresMax = 20

/** Limits that a small request can reach, and a queue that is never full: a 503 would be a finding. */
const settings = {
  LOG_LEVEL: 'error',
  UPLOAD_MAX_FILE_BYTES: '4096',
  UPLOAD_MAX_FILES: '4',
  BATCH_MAX_FILES: '20',
  QUEUE_MAX_FILES: '10000000',
  // no worker runs: who waits for a transcript waits in vain
  WAIT_DEADLINE_SECONDS: '1',
  // what is asked is how requests are answered, and not how well anything is spoken
  TTS_ENGINE: 'light',
  SPEECH_MAX_CHARACTERS: '100',
  SPEECH_MAX_CONCURRENT: '1000',
  SPEECH_MAX_PER_USER: '1000',
  // as many requests as the machine can send, of two users
  RATE_USER_PER_SECOND: '0',
  RATE_ADDRESS_PER_SECOND: '0',
}

/** Sends so many requests to a gateway of its own and holds every answer against what is promised. */
export async function fuzzContract(run: ContractRun): Promise<ContractReport> {
  const service = await startService(settings)
  try {
    return await drive(run, service)
  } finally {
    await service.stop()
  }
}

async function drive({ seed, from, requests }: ContractRun, service: BenchService): Promise<ContractReport> {
  const document = await readDocument(service.url)
  const world = await openWorld(service)
  const judge = openFuzzJudge(document, world)
  const documented = document.operations.reduce((sum, { responses }) => sum + Object.keys(responses).length, 0)
  const report = emptyReport(await service.memoryMb())
  const startedMs = performance.now()
  let next = from

  const lane = async (): Promise<void> => {
    const wire = openWire(service.url)
    while (next < from + requests && report.failures.length < failuresMax) {
      const index = next
      next += 1
      await one({ report, wire, judge, index }, { document, world, random: createRandom(seed, `request ${index}`) })
    }
    wire.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  for (const loss of await world.losses()) report.failures.push({ index: next, complaints: [loss], request: '' })
  report.seconds = (performance.now() - startedMs) / 1000
  report.memoryMb[1] = await service.memoryMb()
  const names = document.operations.map(({ method, path }) => `${method} ${path}`)
  const without = (answers: RegExp): string[] => {
    const found = new Set(
      [...report.reached].filter((name) => answers.test(name)).map((name) => name.replace(/ \d+$/, '')),
    )
    return names.filter((name) => !found.has(name))
  }
  return { ...report, documented, unreached: without(/ \d+$/), unsuccessful: without(/ 2\d\d$/) }
}

interface Sending {
  readonly report: ReturnType<typeof emptyReport>
  readonly wire: FuzzWire
  readonly judge: FuzzJudge
  readonly index: number
}

async function one({ report, wire, judge, index }: Sending, making: Making): Promise<void> {
  const request = aRequest(making)
  const outcome = await wire.exchange(request.bytes, request)
  const complaints = [
    ...judge.complaints(request, outcome),
    ...(await tellsForeign({ request, outcome }, making.world, wire)),
  ]
  report.sent += 1
  const status = outcome.kind === 'answered' ? String(outcome.answer.status) : outcome.kind
  count(report.statuses, status)
  const { operation } = request
  if (request.isWhole && request.method === operation.method && operation.responses[status])
    report.reached.add(`${operation.method} ${operation.path} ${status}`)
  for (const change of request.changes.length > 0 ? request.changes : ['nothing']) count(report.changes, change)
  if (complaints.length > 0) report.failures.push({ index, complaints, request: shown(request) })
}

function emptyReport(memoryMb: number) {
  return {
    failures: [] as ContractFailure[],
    sent: 0,
    seconds: 0,
    statuses: new Map<string, number>(),
    changes: new Map<string, number>(),
    reached: new Set<string>(),
    memoryMb: [memoryMb, memoryMb] as [number, number],
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
