import { areas } from '../history.ts'
import type { ChaosOperation } from '../history.ts'
import { faultKinds, isFaultKind } from '../nemesis/plan.ts'
import type { ChaosRun } from '../run.ts'
import { escape } from './escape.ts'
import type { ChaosSummary } from './summary.ts'
import { areaColours, lineColours, outcomeColours, timeline } from './timeline.ts'

/** The whole run on one page that needs nothing else. */
export function page(run: ChaosRun, summary: ChaosSummary): string {
  const { options, startedAt, history } = run
  const { profile, seed, minutes, broken } = options
  const title = `Chaos: ${profile}, seed ${seed}, ${minutes} min`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
<p class="verdict ${summary.isPassed ? 'passed' : 'failed'}">${verdictOf(summary)}</p>
<p>${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC · ${brokerOf(profile)} · ${options.users} users · 2 gateways · 3 workers${
    broken === undefined ? '' : ` · broken build <b>${broken}</b>`
  }</p>
<p>Again: <code>${escape(summary.replay)}</code></p>
${figures(run, summary)}
<h2>What happened when</h2>
<figure>${timeline(run)}<figcaption>${legend()}</figcaption></figure>
<h2>What must hold</h2>
${checksTable(summary)}
<h2>Requests</h2>
${requestsTable(history.operations)}
<h2>Faults</h2>
${faultsTable(run)}
${notes(run)}
</body>
</html>
`
}

const style = `
body{font:15px/1.5 system-ui,sans-serif;color:#111827;background:#fff;max-width:1160px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
code{background:#f3f4f6;padding:.15rem .35rem;border-radius:3px}
.verdict{font-size:1.1rem;font-weight:600;padding:.5rem .75rem;border-left:6px solid}
.passed{border-color:#15803d;background:#f0fdf4}.failed{border-color:#b91c1c;background:#fef2f2}
.figures{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;margin:1rem 0;list-style:none}
.figures li{border:1px solid #d1d5db;border-radius:6px;padding:.5rem .9rem;min-width:6.5rem}
.figures b{display:block;font-size:1.35rem}
figure{margin:0;overflow-x:auto}figure svg{width:100%;min-width:760px;height:auto;border:1px solid #e5e7eb}
figcaption{display:flex;flex-wrap:wrap;gap:.4rem 1.1rem;margin-top:.5rem}
.key{display:inline-block;width:.85rem;height:.85rem;margin-right:.35rem;vertical-align:-1px;border-radius:2px}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #e5e7eb;vertical-align:top}
th{font-weight:600;background:#f9fafb}td.n{text-align:right;font-variant-numeric:tabular-nums}
.yes{color:#166534;font-weight:600;white-space:nowrap}.no{color:#991b1b;font-weight:600;white-space:nowrap}
ul.complaints{margin:.3rem 0;padding-left:1.1rem;overflow-wrap:anywhere}
`

function verdictOf({ isPassed, lost, doubled, verdicts }: ChaosSummary): string {
  if (isPassed) return `Passed: lost ${lost}, doubled ${doubled}; everything that was accepted has finished.`
  const wrong = verdicts.filter(({ complaints }) => complaints.length > 0).length
  return `Failed: ${wrong} of ${verdicts.length} rules did not hold.`
}

function brokerOf(profile: string): string {
  return profile === 'single' ? 'one nats-server' : 'three nats-servers, everything in three copies'
}

function figures({ counts, healedMs, endedMs }: ChaosRun, summary: ChaosSummary): string {
  const { calls } = counts
  const shown: readonly (readonly [string | number, string])[] = [
    [summary.lost, 'lost'],
    [summary.doubled, 'doubled'],
    [summary.faults, `faults of ${summary.kinds} kinds`],
    [summary.operations, 'requests'],
    [counts.batches, 'batches'],
    [counts.files, `files, ${counts.deleted} deleted`],
    [calls.chunks, 'chunks'],
    [calls.made, `recogniser calls (${calls.expected} by the recordings, ${calls.allowed} allowed)`],
    [`${((endedMs - healedMs) / 1000).toFixed(1)} s`, 'from the last fault to the end'],
  ]
  return `<ul class="figures">${shown.map(([value, what]) => `<li><b>${value}</b>${what}</li>`).join('')}</ul>`
}

function legend(): string {
  const key = (colour: string, text: string): string =>
    `<span><span class="key" style="background:${colour}"></span>${text}</span>`
  return [
    ...areas.map((area) => key(areaColours[area], `fault: ${area}`)),
    key(outcomeColours.ok, 'answered'),
    key(outcomeColours.refused, 'refused: come back later, or gone'),
    key(outcomeColours.unknown, 'no answer'),
    key(lineColours.waiting, 'messages in queues'),
    key(lineColours.openBatches, 'open batches'),
    key('#dc2626', 'a rule that did not hold'),
  ].join('')
}

function checksTable({ verdicts }: ChaosSummary): string {
  const rows = verdicts.map(({ about, complaints }) => {
    const list = complaints.map((sentence) => `<li>${escape(sentence)}</li>`).join('')
    const isHeld = complaints.length === 0
    return `<tr><td class="${isHeld ? 'yes' : 'no'}">${isHeld ? '✓ holds' : `✗ ${complaints.length}`}</td><td>${about}${
      isHeld ? '' : `<ul class="complaints">${list}</ul>`
    }</td></tr>`
  })
  return `<table><tbody>${rows.join('')}</tbody></table>`
}

function requestsTable(operations: readonly ChaosOperation[]): string {
  const verbs = [...new Set(operations.map(({ verb }) => verb))]
  const rows = verbs.map((verb) => {
    const own = operations.filter((one) => one.verb === verb)
    const count = (outcome: ChaosOperation['outcome']): number => own.filter((one) => one.outcome === outcome).length
    const times = own
      .filter(({ outcome }) => outcome === 'ok')
      .map(({ tookMs }) => tookMs)
      .toSorted((one, other) => one - other)
    const at = (share: number): string => `${times[Math.floor(share * (times.length - 1))] ?? '–'} ms`
    const cells = [own.length, count('ok'), count('refused'), count('unknown'), at(0.5), at(0.99)]
    return `<tr><td>${verb}</td>${cells.map((cell) => `<td class="n">${cell}</td>`).join('')}</tr>`
  })
  return `<table><thead><tr><th>request</th><th>sent</th><th>answered</th><th>refused</th><th>no answer</th><th>p50</th><th>p99</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function faultsTable({ history }: ChaosRun): string {
  const rows = history.faults.map(({ kind, what, atMs, endMs = atMs }) => {
    const about = isFaultKind(kind) ? faultKinds[kind].about : ''
    const cells = [(atMs / 1000).toFixed(1), ((endMs - atMs) / 1000).toFixed(1)]
    return `<tr>${cells.map((cell) => `<td class="n">${cell}</td>`).join('')}<td>${kind}</td><td>${escape(what)}</td><td>${about}</td></tr>`
  })
  return `<table><thead><tr><th>at, s</th><th>for, s</th><th>fault</th><th>of</th><th>meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
}

const notesMax = 50

function notes({ history }: ChaosRun): string {
  if (history.notes.length === 0) return ''
  const shown = history.notes
    .slice(0, notesMax)
    .map(({ atMs, text }) => `<li>${(atMs / 1000).toFixed(1)} s ${escape(text.slice(0, 500))}</li>`)
  return `<h2>Errors in logs (${history.notes.length})</h2><ul class="complaints">${shown.join('')}</ul>`
}
