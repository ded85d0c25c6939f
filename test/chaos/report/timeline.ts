import { areas } from '../history.ts'
import type { Area, FaultEvent, History, ChaosOperation } from '../history.ts'
import { escape } from './escape.ts'

/** What happened when, as a picture: faults on top, what clients met below them, and what waited in the queues. */

const width = 1120
const left = 96
const right = 16
const laneHeight = 26
const top = 40
const chartHeight = 96
const gap = 42
const tickEveryMs = [1000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000]
const ticksMax = 12
const columnsMax = 240
const letterWidth = 5.6

export const areaColours: Readonly<Record<Area, string>> = {
  broker: '#7c3aed',
  links: '#0369a1',
  workers: '#b45309',
  gateways: '#0f766e',
  storage: '#9f1239',
  messages: '#4d7c0f',
  clocks: '#475569',
}
export const outcomeColours: Readonly<Record<ChaosOperation['outcome'], string>> = {
  ok: '#15803d',
  refused: '#d97706',
  unknown: '#b91c1c',
}
const outcomes = ['ok', 'refused', 'unknown'] as const
export const lineColours = { waiting: '#1d4ed8', openBatches: '#6b21a8' } as const

interface TimelineOptions {
  readonly history: History
  readonly healedMs: number
  readonly endedMs: number
}

export function timeline({ history, healedMs, endedMs }: TimelineOptions): string {
  // an hour has more operations than a call may have arguments
  const lastMs = history.operations.reduce((last, { atMs }) => Math.max(last, atMs), Math.max(endedMs, 1))
  const x = (ms: number): number => left + (ms / lastMs) * (width - left - right)
  const operationsTop = top + areas.length * laneHeight + gap
  const queuesTop = operationsTop + chartHeight + gap
  const bottom = queuesTop + chartHeight
  const height = bottom + 34
  const parts = [
    ...areas.map((area, index) => lane(area, top + index * laneHeight)),
    ...history.faults.map((fault) => bar(fault, { x, endedMs })),
    ...columns(history.operations, { x, lastMs, baseline: operationsTop + chartHeight }),
    ...lines(history, { x, baseline: queuesTop + chartHeight }),
    label('requests', operationsTop - 8),
    label('in queues', queuesTop - 8),
    ...moments({ x, bottom, healedMs, endedMs }),
    ...ticks({ x, lastMs, bottom }),
    ...history.complaints.map(({ atMs, sentence }) => complaintMark(x(Math.min(atMs, lastMs)), sentence)),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Timeline of faults, requests and queues"`,
    ' font-family="system-ui, sans-serif" font-size="11" fill="#111827">',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
  ].join('\n')
}

function lane(area: Area, y: number): string {
  return (
    `<text x="8" y="${y + 17}" font-size="12">${area}</text>` +
    `<rect x="${left}" y="${y + 2}" width="${width - left - right}" height="${laneHeight - 4}" fill="#f3f4f6"/>`
  )
}

function bar(fault: FaultEvent, { x, endedMs }: { x: (ms: number) => number; endedMs: number }): string {
  const { kind, area, what, atMs, endMs = endedMs } = fault
  const y = top + areas.indexOf(area) * laneHeight + 4
  const wide = Math.max(2, x(endMs) - x(atMs))
  const seconds = ((endMs - atMs) / 1000).toFixed(1)
  const name = kind.length * letterWidth + 4 < wide ? kind : ''
  return (
    `<g><title>${escape(`${kind}: ${what}, ${seconds} s`)}</title>` +
    `<rect x="${round(x(atMs))}" y="${y}" width="${round(wide)}" height="${laneHeight - 8}" rx="2" fill="${areaColours[area]}"/>` +
    `<text x="${round(x(atMs) + 3)}" y="${y + 13}" font-size="10" fill="#ffffff">${name}</text></g>`
  )
}

/** Requests a second by what came of them, one on top of the other. */
function columns(
  operations: readonly ChaosOperation[],
  { x, lastMs, baseline }: { x: (ms: number) => number; lastMs: number; baseline: number },
): string[] {
  const everyMs = Math.max(1000, Math.ceil(lastMs / columnsMax / 1000) * 1000)
  const counts = Array.from({ length: Math.ceil(lastMs / everyMs) + 1 }, () => ({ ok: 0, refused: 0, unknown: 0 }))
  for (const { atMs, outcome } of operations) counts[Math.floor(atMs / everyMs)]![outcome] += 1
  const most = Math.max(1, ...counts.map(({ ok, refused, unknown }) => ok + refused + unknown))
  const perSecond = Math.round((most * 1000) / everyMs)
  return [
    ...counts.flatMap((count, index) => {
      let y = baseline
      return outcomes.map((outcome) => {
        const high = (count[outcome] / most) * chartHeight
        y -= high
        const wide = Math.max(1, x(everyMs) - x(0) - 0.5)
        return high === 0
          ? ''
          : `<rect x="${round(x(index * everyMs))}" y="${round(y)}" width="${round(wide)}" height="${round(high)}" fill="${outcomeColours[outcome]}"/>`
      })
    }),
    scale(baseline, `${perSecond}/s`),
  ].filter(Boolean)
}

function lines({ samples }: History, { x, baseline }: { x: (ms: number) => number; baseline: number }): string[] {
  const most = Math.max(1, ...samples.flatMap(({ waiting, openBatches }) => [waiting, openBatches]))
  const line = (input: 'waiting' | 'openBatches'): string => {
    const points = samples.map((one) => `${round(x(one.atMs))},${round(baseline - (one[input] / most) * chartHeight)}`)
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${lineColours[input]}" stroke-width="1.6"/>`
  }
  return [line('waiting'), line('openBatches'), scale(baseline, String(most))]
}

function scale(baseline: number, most: string): string {
  const y = baseline - chartHeight
  return (
    `<line x1="${left}" x2="${width - right}" y1="${baseline}" y2="${baseline}" stroke="#9ca3af"/>` +
    `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="#e5e7eb"/>` +
    `<text x="${left - 6}" y="${y + 4}" text-anchor="end">${most}</text>` +
    `<text x="${left - 6}" y="${baseline + 4}" text-anchor="end">0</text>`
  )
}

function label(text: string, y: number): string {
  return `<text x="8" y="${y}" font-size="12">${text}</text>`
}

function moments(input: { x: (ms: number) => number; bottom: number; healedMs: number; endedMs: number }): string[] {
  const moment = (ms: number, text: string, y: number): string =>
    `<line x1="${round(input.x(ms))}" x2="${round(input.x(ms))}" y1="${y + 4}" y2="${input.bottom}" stroke="#111827" stroke-dasharray="4 3"/>` +
    `<text x="${round(input.x(ms) - 4)}" y="${y}" text-anchor="end">${text}</text>`
  return [moment(input.healedMs, 'last fault over', 14), moment(input.endedMs, 'everything ended', 28)]
}

function ticks({ x, lastMs, bottom }: { x: (ms: number) => number; lastMs: number; bottom: number }): string[] {
  const everyMs = tickEveryMs.find((ms) => lastMs / ms <= ticksMax) ?? 600_000
  return Array.from({ length: Math.floor(lastMs / everyMs) + 1 }, (_, index) => {
    const ms = index * everyMs
    const minutes = Math.floor(ms / 60_000)
    const text = `${minutes}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`
    return `<text x="${round(x(ms))}" y="${bottom + 18}" text-anchor="middle">${text}</text>`
  })
}

function complaintMark(at: number, sentence: string): string {
  const [from, to, middle] = [round(at - 6), round(at + 6), round(at)]
  return `<g><title>${escape(sentence)}</title><path d="M${from} 30 L${to} 30 L${middle} 40 Z" fill="#dc2626"/></g>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
