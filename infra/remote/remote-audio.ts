import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { FailureError } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import type { SecretHeaders } from '../../actors/secret-headers.ts'
import type { Room } from '../../actors/upload/ports.ts'
import { unboundedRoom } from '../blobs/room.ts'
import { classify as classifyDisk } from '../spool/classify.ts'
import { readAnswer } from './answer.ts'
import { readBody } from './body.ts'
import { refusedByServer, unavailable } from './classify.ts'
import { followRedirects } from './follow.ts'
import type { FetchRoute } from './follow.ts'
import { haltAfter } from './halt.ts'
import type { RemoteLimits } from './limits.ts'
import { headersForRest } from './part.ts'
import type { FetchedPart } from './part.ts'
import { receive } from './receive.ts'
import { systemResolve } from './resolve.ts'
import { judgeUrl } from './url.ts'

export interface RemoteAudioOptions extends Omit<FetchRoute, 'resolve'>, Partial<Pick<FetchRoute, 'resolve'>> {
  readonly log: Log
}

interface Transfer {
  readonly url: URL
  readonly secretHeaders: SecretHeaders
  readonly file: FileHandle
  readonly signal: AbortSignal
  readonly onBytes: (soFar: number) => void
  readonly room: Pick<Room, 'pass'>
  part: FetchedPart | undefined
}

/** Audio of other people's servers. Nothing of theirs is trusted: no name, no redirect, no size, no type. */
export function remoteAudio(options: RemoteAudioOptions): RemoteAudio {
  const route: FetchRoute = { ...options, resolve: options.resolve ?? systemResolve }
  return {
    async fetch(text, path, { headers: secretHeaders = {}, signal, onBytes, room = unboundedRoom } = {}) {
      const { url, refusal } = judgeUrl(text, options.policy)
      if (refusal !== undefined) throw refusedByServer(refusal)
      const file = await open(path, 'w+', 0o600).catch((error: unknown) => {
        throw classifyDisk(error)
      })
      let soFarBytes = 0
      const halt = haltAfter(
        deadlineOf(options.limits, () => soFarBytes),
        signal,
      )
      const count = (soFar: number): void => {
        soFarBytes = soFar
        onBytes?.(soFar)
      }
      try {
        return await transfer(
          { url, secretHeaders, file, signal: halt.signal, onBytes: count, room, part: undefined },
          route,
          options.log,
        )
      } catch (error) {
        await rm(path, { force: true })
        throw classifyDisk(error)
      } finally {
        halt.close()
        await file.close()
      }
    },
  }
}

/** By what has arrived, not by what was announced: who sends little has little time, whatever the header says. */
function deadlineOf({ totalMs, graceMs, minBytesPerSecond }: RemoteLimits, soFarBytes: () => number) {
  const allowedMs = (): number => Math.min(totalMs, graceMs + (soFarBytes() / minBytesPerSecond) * 1000)
  const late = (): Error => {
    const ms = allowedMs()
    const because = ms < totalMs ? `, which is the limit for ${soFarBytes()} bytes` : ''
    return unavailable(`Fetching the file behind this URL took longer than ${Math.round(ms / 1000)} seconds${because}.`)
  }
  return { allowedMs, late }
}

/** Asks until the file is complete. A transfer that broke is continued where it stopped, a bounded number of times. */
async function transfer(input: Transfer, route: FetchRoute, log: Log): Promise<FetchedAudio> {
  const { maxResumes, resumePauseMs } = route.limits
  for (let resumes = 0; ; resumes += 1) {
    try {
      const fetched = await attempt(input, route)
      if (fetched) return fetched
      log.info('remote audio changed while it was fetched', { resumes, 'pii.url': input.url.href })
    } catch (error) {
      if (resumes >= maxResumes || !mayContinue(input, error)) throw error
      log.info('remote audio broke off', {
        resumes,
        soFarBytes: input.part?.sizeBytes,
        error,
        'pii.url': input.url.href,
      })
      await pause(resumePauseMs * (resumes + 1), undefined, { signal: input.signal }).catch(() =>
        input.signal.throwIfAborted(),
      )
    }
  }
}

/** Undefined when what is on disk belongs to an object that is no more. */
async function attempt(input: Transfer, route: FetchRoute): Promise<FetchedAudio | undefined> {
  const { limits } = route
  const headers = input.part ? headersForRest(input.part) : {}
  const { url, secretHeaders, signal } = input
  const answer = await followRedirects({ url, headers, secretHeaders, signal }, route)
  try {
    input.part = readAnswer(answer, input.part, limits)
    if (!input.part) return undefined
    await receive(readBody(answer, limits, input.signal), input.part, { ...input, limits })
    return { sizeBytes: input.part.sizeBytes, contentType: input.part.contentType }
  } finally {
    answer.destroy()
  }
}

function mayContinue({ part, signal }: Transfer, error: unknown): boolean {
  const failure = error instanceof FailureError ? error.failure : undefined
  // a server that says when to come back is not asked again before
  const wantsRest = failure?.code === 'remote_unavailable' && failure.retryAfterSeconds === undefined
  return wantsRest && !signal.aborted && part?.validator !== undefined
}

/** Audio behind a URL, brought to this machine's disk. */
export interface RemoteAudio {
  /**
   * Writes the body to `path`, or leaves nothing there. A refusal is terminal with a sentence, an outage is retryable;
   * an aborted `signal` rejects with its reason. `onBytes` may go back when the remote object changed on the way.
   */
  fetch(url: string, path: string, options?: RemoteFetchOptions): Promise<FetchedAudio>
}

interface RemoteFetchOptions {
  /** Sent to the server of the URL, and to no other that it leads to. */
  readonly headers?: SecretHeaders
  readonly signal?: AbortSignal
  readonly onBytes?: (soFar: number) => void
  readonly room?: Pick<Room, 'pass'>
}

interface FetchedAudio {
  readonly sizeBytes: number
  /** As the server says it: a hint, never believed. */
  readonly contentType: string | undefined
}
