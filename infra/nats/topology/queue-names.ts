import { runKey } from '../../../actors/ids.ts'
import type { BatchId, RunRef, Owner } from '../../../actors/ids.ts'
import type { WorkOf } from '../../../actors/ports.ts'

/** How streams, consumers and subjects of work and reports are called. */
export interface WorkStream {
  readonly name: string
  /** What every subject in it begins with. */
  readonly subject: string
}

export const workStreams = {
  files: { name: 'asr_file_queue', subject: 'asr.file' },
  chunks: { name: 'asr_job_queue', subject: 'asr.chunk' },
  fileRetries: { name: 'file_retry_queue', subject: 'asr.file-retry' },
  chunkRetries: { name: 'job_retry_queue', subject: 'asr.chunk-retry' },
} as const satisfies Record<string, WorkStream>

/** Calls that batches owe to their users; retries wait there too. */
export const webhookStream = { name: 'notice_queue', subject: 'asr.notice' } as const satisfies WorkStream

/** What a chat model is asked about transcripts; retries wait there too. */
export const inquiryStream = { name: 'inquiry_queue', subject: 'asr.inquiry' } as const satisfies WorkStream

export const settledStream = { name: 'asr_settled', subject: 'asr.settled' } as const

/** What can never be handled, from whatever stream. */
export const deadLetterStream = { name: 'dead_letters', subject: 'asr.dead' } as const

/** Who did what. Each user has a subject, so that nobody pushes out what others did. */
export const auditStream = { name: 'vaak_audit', subject: 'vaak.audit' } as const
export const auditSubjects = `${auditStream.subject}.*`

export function auditSubject(who: string): string {
  return `${auditStream.subject}.${who}`
}

export function deadLetterSubject(stream: string): string {
  return `${deadLetterStream.subject}.${stream}`
}

/** What work is about: a file of a batch, or a batch as a whole. */
export type WorkRef = WorkOf

/** Of work that may be taken: who has less of their own before it goes first. */
export const levelCount = 4
/** Each level holds this many times as much of one user as those before it together. */
const levelFactor = 8
const firstLevelPieces = 4
/** Reports about one file are all in one shard, so that they can be taken together. */
export const shardCount = 8

/** Which level work goes to that has so many pieces of the same user before it. */
export function levelOf(ahead: number): number {
  let level = 0
  for (let most = firstLevelPieces; ahead >= most && level < levelCount - 1; most *= levelFactor) level += 1
  return level
}

export function levelConsumer(level: number): string {
  return `level-${level}`
}

export function levelSubjects(stream: WorkStream, level: number): string {
  return `${stream.subject}.${dueWord(level)}.>`
}

/** Whatever may be pulled from this stream. */
export function dueSubjects(stream: WorkStream): string[] {
  return Array.from({ length: levelCount }, (_, level) => levelSubjects(stream, level))
}

/** The version before had a consumer for each hash of a user. What it enqueued is read from there. */
export const laneCount = 16

export function laneConsumer(lane: number): string {
  return `lane-${lane}`
}

export function laneSubjects(stream: WorkStream, lane: number): string {
  return `${stream.subject}.due.${lane}.>`
}

/** Whatever the version before enqueued, or enqueues while it runs beside this one. */
export function oldDueSubjects(stream: WorkStream): string {
  return `${stream.subject}.due.>`
}

/** Where the broker tells that something was stored under a subject. */
export function storedSubject(subject: string): string {
  return `vaak.stored.${subject}`
}

interface PlaceInLevel {
  readonly level: number
  /** Tells apart the work of one file. */
  readonly tail: string
}

export function dueSubject(stream: WorkStream, ref: WorkRef, { level, tail }: PlaceInLevel): string {
  return `${stream.subject}.${dueWord(level)}.${placeOf(ref)}.${tail}`
}

/** Where work waits for its time. One schedule a subject: a second one would replace the first. */
export function laterSubject(stream: WorkStream, ref: WorkRef, tail: string): string {
  return `${stream.subject}.later.${placeOf(ref)}.${tail}`
}

/** All of one file's work in this stream: one filter, so that one reading sees due and later at the same moment. */
export function subjectsOf(stream: WorkStream, ref: WorkRef): string {
  return `${stream.subject}.*.${placeOf(ref)}.>`
}

export function tailOf(stream: WorkStream, ref: WorkRef, subject: string): string {
  const [word = ''] = subject.slice(stream.subject.length + 1).split('.')
  return subject.slice(`${stream.subject}.${word}.${placeOf(ref)}.`.length)
}

/** As long as `later`: the version before takes whatever is not `due` for that, and so finds the tail behind it. */
function dueWord(level: number): string {
  return `due-${level}`
}

/** Of the file that work is about, in its tail as seen from the batch. */
export function indexIn(tail: string): number {
  return Number(tail.split('.')[1])
}

export function shardConsumer(shard: number): string {
  return `shard-${shard}`
}

export function shardSubject(shard: number): string {
  return `${settledStream.subject}.${shard}`
}

export function fileShard(ref: RunRef): number {
  return spread(runKey(ref), shardCount)
}

export function batchShard(batchId: BatchId): number {
  return spread(batchId, shardCount)
}

/** Part of every subject since the first version, which is asked for by it. */
export function laneOf(owner: Owner): number {
  return spread(owner, laneCount)
}

function placeOf({ owner, batchId, fileId, index }: WorkRef): string {
  const ofBatch = `${laneOf(owner)}.${batchId}`
  return fileId === undefined ? ofBatch : `${ofBatch}.${fileId}.${index}`
}

const fnvOffset = 0x811c9dc5
const fnvPrime = 0x01000193

/** FNV-1a, its weak low bits mixed with the high ones. The same for ever: what is stored depends on it. */
function spread(text: string, over: number): number {
  let hash = fnvOffset
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, fnvPrime)
  return ((hash ^ (hash >>> 16)) >>> 0) % over
}
