import { open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { FailureError } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { classify as classifyDisk } from '../spool/classify.ts'
import { readAnswer } from './answer.ts'
import { readBody } from './body.ts'
import { refused, unavailable } from './classify.ts'
import { follow } from './follow.ts'
import type { Route } from './follow.ts'
import { haltAfter } from './halt.ts'
import { headersForRest } from './part.ts'
import type { Part } from './part.ts'
import { receive } from './receive.ts'
import { systemResolve } from './resolve.ts'
import { judgeUrl } from './url.ts'

export interface RemoteAudioOptions extends Omit<Route, 'resolve'>, Partial<Pick<Route, 'resolve'>> {
  readonly log: Log
}

interface Transfer {
  readonly url: URL
  readonly file: FileHandle
  readonly signal: AbortSignal
  readonly onBytes: ((soFar: number) => void) | undefined
  part: Part | undefined
}

/** Audio of other people's servers. Nothing of theirs is trusted: no name, no redirect, no size, no type. */
export function remoteAudio(of: RemoteAudioOptions): RemoteAudio {
  const route: Route = { ...of, resolve: of.resolve ?? systemResolve }
  const { totalMs } = of.limits
  return {
    async fetch(text, path, { signal, onBytes } = {}) {
      const { url, refusal } = judgeUrl(text, of.policy)
      if (refusal !== undefined) throw refused(refusal)
      const late = unavailable(`Fetching the file behind this URL took longer than ${totalMs / 1000} seconds.`)
      const file = await open(path, 'w+', 0o600).catch((error: unknown) => {
        throw classifyDisk(error)
      })
      const halt = haltAfter(totalMs, late, signal)
      try {
        return await transfer({ url, file, signal: halt.signal, onBytes, part: undefined }, route, of.log)
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

/** Asks until the file is complete. A transfer that broke is continued where it stopped, a bounded number of times. */
async function transfer(of: Transfer, route: Route, log: Log): Promise<FetchedAudio> {
  const { maxResumes, resumePauseMs } = route.limits
  for (let resumes = 0; ; resumes += 1) {
    try {
      const fetched = await attempt(of, route)
      if (fetched) return fetched
      log.info('remote audio changed while it was fetched', { resumes, 'pii.url': of.url.href })
    } catch (error) {
      if (resumes >= maxResumes || !mayContinue(of, error)) throw error
      log.info('remote audio broke off', { resumes, soFarBytes: of.part?.sizeBytes, error, 'pii.url': of.url.href })
      await pause(resumePauseMs * (resumes + 1), undefined, { signal: of.signal }).catch(() =>
        of.signal.throwIfAborted(),
      )
    }
  }
}

/** Undefined when what is on disk belongs to an object that is no more. */
async function attempt(of: Transfer, route: Route): Promise<FetchedAudio | undefined> {
  const { limits } = route
  const headers = of.part ? headersForRest(of.part) : {}
  const answer = await follow({ url: of.url, headers, signal: of.signal }, route)
  try {
    of.part = readAnswer(answer, of.part, limits)
    if (!of.part) return undefined
    await receive(readBody(answer, limits, of.signal), of.part, { ...of, limits })
    return { sizeBytes: of.part.sizeBytes, contentType: of.part.contentType }
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
  fetch(
    url: string,
    path: string,
    options?: { signal?: AbortSignal; onBytes?: (soFar: number) => void },
  ): Promise<FetchedAudio>
}

interface FetchedAudio {
  readonly sizeBytes: number
  /** As the server says it: a hint, never believed. */
  readonly contentType: string | undefined
}
