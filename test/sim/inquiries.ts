import { acceptedBatch } from '../../actors/batch/state.ts'
import type { InquiryRef } from '../../actors/ids.ts'
import { inquiryRefOf } from '../../actors/inquiry/enter.ts'
import { batchQuestionsKey, inquiriesFolder, inquiryPartKey } from '../../actors/inquiry/keys.ts'
import type { InquiryModel } from '../../actors/inquiry/ports.ts'
import type { InquiryWork } from '../../actors/inquiry/protocol.ts'
import type { InquiryAnswer, InquiryKind, InquiryOutcome } from '../../actors/inquiry/state.ts'
import { inquiryWorker } from '../../actors/inquiry/work.ts'
import type { WorkQueue } from '../../actors/ports.ts'
import { hasWords } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { Outage } from '../../actors/worker/outage.ts'
import type { Domain } from './domain-ports.ts'
import type { Platform } from './platform-parts.ts'
import { behave } from './speech.ts'
import { takeOneByOne } from './one-by-one.ts'
import { addressOf, callerFor } from './webhooks.ts'
import type { Process } from './world.ts'

export function inquiryQueueFor({ world, inquiryQueue }: Platform, process: Process): WorkQueue<InquiryWork> {
  return {
    enqueue: (work, { id, delayMs }) =>
      world.call(process, { service: 'broker', what: 'inquiries.enqueue', key: id }, () => {
        inquiryQueue.publish(work, { id, delayMs })
      }),
    outstanding: ({ batchId, fileId }) =>
      world.call(process, { service: 'broker', what: 'inquiries.outstanding', key: batchId }, () =>
        [...inquiryQueue.messages]
          .map(({ body }) => body)
          .filter((work) => work.batchId === batchId && work.fileId === fileId),
      ),
  }
}

/** A worker's hand for what is wanted of transcripts. */
export function takeInquiries(platform: Platform, { process, file, batch, inquiries }: Domain, outage: Outage): void {
  const { retry, chunkDeadlineMs: deadlineMs } = platform.scenario.limits
  const worker = inquiryWorker(
    {
      model: modelFor(platform, process),
      caller: callerFor(platform, process),
      // nobody edits here
      editing: { read: (_run, transcript) => Promise.resolve({ transcript }) },
      batches: batch.batches,
      ...inquiries,
      log: file.log,
    },
    { retry, callRetry: retry },
  )
  const settling = { platform, process, giveUp: worker.giveUp }
  takeOneByOne(platform.inquiryQueue, { settling, slots: 1, deadlineMs, outage }, (hand) => worker.run(hand))
}

function modelFor(platform: Platform, process: Process): InquiryModel {
  const { world, scenario } = platform
  const behaviour = scenario.inquiries?.model ?? 'fine'
  return {
    name: 'simulated',
    async answer({ kind }, signal) {
      await world.call(process, { service: 'chat', what: 'chat.answer', key: kind }, () => undefined)
      await behave(platform, process, { behaviour, signal })
      world.count('inquiry answered')
      return answerOf(kind)
    },
  }
}

function answerOf(kind: InquiryKind): InquiryAnswer {
  switch (kind) {
    case 'summary':
      return { kind, text: 'as it was' }
    case 'chapters':
      return { kind, chapters: [] }
    case 'translation':
      return { kind, lines: [] }
    case 'question':
      return { kind, isAnswered: true, text: 'as it was', sources: [] }
  }
}

/** What came of an inquiry stays for as long as it is asked (I2). */
export function checkTakenBack({ world, objects }: Platform, key: string): void {
  const isOutcome = key.includes('/inquiries/') && key.endsWith('/outcome') && objects.get(key) !== undefined
  if (isOutcome && objects.get(key.replace(/outcome$/, 'asked')) !== undefined)
    world.violate(`I2: ${key} was taken back`)
}

/** Each that was asked for has an outcome, and none is left of what has no transcript, or of a batch that is not there. */
export function checkInquiries(platform: Platform): string[] {
  const { objects, runs, batches, scenario } = platform
  if (!scenario.inquiries) return []
  const withWords = runs.keys().flatMap((key) => {
    const run = runs.get(key)
    return hasWords(run) ? [run] : []
  })
  const folders = withWords.map((run) => inquiriesFolder(run))
  const questions = new Set(
    batches.keys().flatMap((key) => {
      const batch = acceptedBatch(batches.get(key))
      return batch ? [batchQuestionsKey(batch)] : []
    }),
  )
  const keys = [...objects.keys()]
  return [
    ...withWords.flatMap((run) => wantedOf(platform, run).flatMap((inquiry) => checkOutcome(platform, inquiry))),
    ...keys
      .filter((key) => key.includes('/inquiries/') && !folders.some((folder) => key.startsWith(folder)))
      .map((key) => `${key} is left, and its transcript is not there`),
    ...keys
      .filter((key) => key.startsWith('questions/') && !questions.has(key))
      .map((key) => `${key} is left of a batch that is not there`),
  ]
}

function wantedOf({ scenario }: Platform, run: RunState): InquiryRef[] {
  const { after = [], questions = [] } = scenario.inquiries ?? {}
  return [
    ...after.filter((kind) => kind !== 'question').map((kind) => inquiryRefOf(run, { kind })),
    ...questions.map((question) => inquiryRefOf(run, { kind: 'question', question })),
  ]
}

function checkOutcome(platform: Platform, inquiry: InquiryRef): string[] {
  const { objects, world, scenario, batches, calls } = platform
  const name = inquiryPartKey(inquiry, 'outcome')
  const stored = objects.get(name)
  if (stored === undefined) return [`I7: nothing came of an inquiry: ${name}`]
  if (objects.get(inquiryPartKey(inquiry, 'asked')) === undefined) return [`${name} was never asked`]
  const outcome: InquiryOutcome = JSON.parse(stored)
  const { batchId, fileId, inquiryId } = inquiry
  const id = `inquiry_${fileId}_${batchId}_${inquiryId}_${outcome.atMs}`
  const url = acceptedBatch(batches.get(batchId))?.callbackUrl
  if (url === addressOf('there') && !calls.has(id)) return [`what came of an inquiry was told to nobody: ${name}`]
  if (outcome.status === 'completed') return []
  world.count('inquiry failed')
  if (outcome.message === '') return [`an inquiry failed for no reason: ${name}`]
  const isPrompt = scenario.weather.slow === 0 && !world.counts.has('pause')
  if (outcome.message.includes('did not answer')) return [`an inquiry failed because something was away: ${name}`]
  return scenario.inquiries?.model === 'fine' && isPrompt ? [`an inquiry failed: ${outcome.message} (${name})`] : []
}
