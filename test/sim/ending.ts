import { fileFolder } from '../../actors/ids.ts'
import type { Platform } from './platform.ts'

/** Nothing is owed to anybody any more. */
export function isSettled({ open, streams, promises }: Platform): boolean {
  return promises.open === 0 && open.keys().length === 0 && streams.every(({ messages }) => messages.size === 0)
}

/** What is still owed: for whoever asks why it did not end. */
export function whatIsOwed({ open, streams, runs, promises }: Platform): string {
  const messages = streams.flatMap((stream) => [...stream.messages].map(({ id }) => id))
  const phases = runs.keys().map((key) => `${key} ${runs.get(key)?.progress.phase}`)
  return JSON.stringify({ clients: promises.open, open: open.keys(), messages, phases })
}

/** What must hold when everything has settled; complaints, if there are any. */
export function checkEnd(platform: Platform): string[] {
  const { batches, runs, members, quotas, objects, scenario, promises } = platform
  const complaints: string[] = []
  for (const batchId of promises.accepted)
    if (batches.get(batchId)?.finishedAtMs === undefined)
      complaints.push(`I1: ${batchId} was promised and has not finished`)
  for (const key of batches.keys())
    if (batches.get(key)?.finishedAtMs === undefined) complaints.push(`I7: batch ${key} has not finished`)
  for (const key of runs.keys()) {
    const phase = runs.get(key)?.progress.phase
    if (phase !== 'finished' && phase !== 'gone') complaints.push(`I7: file ${key} is ${phase}`)
  }
  for (const owner of quotas.keys()) {
    const left = Object.keys(quotas.get(owner)?.reserved ?? {})
    if (left.length > 0) complaints.push(`I13: quota of ${owner} is held by ${left.join()}`)
  }
  for (const key of members.keys())
    if (!batches.get(key.split('.')[0] ?? '')) complaints.push(`the names of a batch that never was are kept: ${key}`)
  for (const fileId of promises.deleted) {
    const owner = scenario.recordings.get(fileId)?.owner
    const folder = owner && fileFolder({ owner, fileId })
    for (const key of objects.keys())
      if (folder && key.startsWith(folder)) complaints.push(`I12: ${key} of a deleted file`)
    for (const key of runs.keys())
      if (key.startsWith(fileId)) complaints.push(`I12: the record ${key} of a deleted file`)
    for (const key of members.keys())
      if (members.get(key)?.files.some((member) => member?.fileId === fileId))
        complaints.push(`I12: the name of deleted ${fileId} in ${key}`)
  }
  complaints.push(...checkAudio(platform), ...checkDeaths(platform), ...checkMarks(platform), ...checkEconomy(platform))
  return complaints
}

/** Sound that nobody needs any more goes, unless it is to be kept. */
function checkAudio({ objects, scenario }: Platform): string[] {
  if (scenario.limits.saveAudio) return []
  return [...objects.keys()].filter((key) => key.includes('/audio/')).map((key) => `sound is left: ${key}`)
}

/** Only who dies leaves a mark, or who stands still or cannot take it away. */
function checkMarks({ objects, world }: Platform): string[] {
  const marks = [...objects.keys()].filter((key) => key.includes('/trial/'))
  const causes = ['crash', 'pause', 'storage unavailable'].map((cause) => world.counts.get(cause) ?? 0)
  return marks.length > causes.reduce((sum, count) => sum + count) ? [`I8: marks without a death: ${marks.join()}`] : []
}

/** Each message of a piece of work may be the death of so many and no more. */
function checkDeaths({ scenario, oracle }: Platform): string[] {
  return [...oracle.deaths]
    .filter(([on, deaths]) => deaths > scenario.limits.deathsMax * (oracle.messages.get(on) ?? 0))
    .map(([on, deaths]) => `I8: ${deaths} died of ${on}`)
}

/** Without faults nothing is done twice. */
function checkEconomy({ scenario, world, oracle }: Platform): string[] {
  const isDeadly = [...scenario.recordings.values()].some(({ chunks, plan, assemble }) =>
    [...chunks, plan, assemble].includes('deadly'),
  )
  if (isDeadly || scenario.faults.length > 0 || scenario.weather.crash > 0 || !isFair(world.counts)) return []
  return [...oracle.tries]
    .filter(([, times]) => times > scenario.limits.retry.retriesMax + 1)
    .map(([what, times]) => `${what} was done ${times} times`)
}

function isFair(counts: ReadonlyMap<string, number>): boolean {
  return [...counts.keys()].every((what) => what === 'duplicate refused' || what === 'redelivery')
}
