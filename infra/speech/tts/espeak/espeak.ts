import { retryable, terminal } from '../../../../actors/failure.ts'
import type { Owner } from '../../../../actors/ids.ts'
import { patientNiceness } from '../../../process/give-way.ts'
import { untilAborted } from '../../../timing/until-aborted.ts'
import { systemClock } from '../../../timing/clock.ts'
import { isPatient, modelTime } from '../../threads/model-time.ts'
import { Slots } from '../../threads/slots.ts'
import { openFreeProcesses } from './free-processes.ts'
import { ProcessDied } from './process.ts'
import type { ESpeakAnswer, ESpeakProcess } from './process.ts'
import type { SpeakRequest } from './protocol.ts'

/** The phoneme engine in processes of its own, which are replaced when they die. Who had much of the models lately has others, which give way. */
export interface ESpeak {
  /** The text is bounded by `textMax`; longer is a bug of the caller. Rejects at once when the signal is aborted. Who had least of the models lately is next. */
  speak(request: SpeakRequest, signal: AbortSignal, owner?: Owner): Promise<ESpeakAnswer>
  /** Process ids of the children, for whoever watches them. */
  pids(): readonly number[]
  close(): Promise<void>
}

interface ESpeakLimits {
  /** For those who had much lately, and as many for the others. */
  readonly processes: number
  /** For one request, once the process is ready. */
  readonly requestMs: number
  /** A process is replaced after so many requests, as it may hold on to memory. */
  readonly requestsPerProcess: number
  /** How often a request is given to a new process when one died with it. */
  readonly attempts: number
  /** Requests that wait for a process. */
  readonly waitingMax: number
}

const defaultESpeakLimits: ESpeakLimits = {
  processes: 2,
  requestMs: 120_000,
  requestsPerProcess: 5_000,
  attempts: 2,
  waitingMax: 1_000,
}

/** Characters of one request: several times what a clause becomes when its numbers are written out. */
export const textMax = 4_000

export function createESpeak(given: Partial<ESpeakLimits> = {}): ESpeak {
  const limits = { ...defaultESpeakLimits, ...given }
  const [usual, patient] = [openProcesses(limits), openProcesses(limits, patientNiceness)]
  return {
    speak(request, signal, owner) {
      if (owner === undefined || !isPatient(owner)) return usual.speak(request, signal, owner)
      if (patient.free.isReady) return patient.speak(request, signal, owner)
      patient.free.begin()
      return usual.speak(request, signal, owner) // to start one takes a second, in the middle of what somebody listens to
    },
    pids: () => [...usual.free.pids(), ...patient.free.pids()],
    async close() {
      await Promise.all([usual.free.close(), patient.free.close()])
    },
  }
}

function openProcesses(limits: ESpeakLimits, niceness?: number) {
  const slots = new Slots(limits.processes)
  const free = openFreeProcesses({ niceness, requestsPerProcess: limits.requestsPerProcess })
  let waiting = 0

  async function attempt(request: SpeakRequest): Promise<ESpeakAnswer> {
    for (let attempts = 1; ; attempts += 1) {
      if (free.isClosed) throw retryable('worker_failed', 'This server stops, and its voices with it. Try again.')
      let process: ESpeakProcess | undefined
      try {
        process = await free.take()
        const answer = await process.speak(request, limits.requestMs)
        free.giveBack(process)
        return answer
      } catch (error) {
        process?.end()
        if (!(error instanceof ProcessDied)) throw error
        if (attempts >= limits.attempts) throw classify(error, limits)
      }
    }
  }

  return {
    free,
    async speak(request: SpeakRequest, signal: AbortSignal, owner?: Owner): Promise<ESpeakAnswer> {
      if (request.text.length > textMax) throw new RangeError(`the text of a request has ${textMax} characters at most`)
      if (waiting >= limits.waitingMax)
        throw retryable('overloaded', `${limits.waitingMax} clauses are waiting to be spoken, which is the limit.`)
      waiting += 1
      await slots.take(signal, owner).finally(() => (waiting -= 1))
      // what a process has begun is finished for nobody: it takes milliseconds, and a new process would take more
      const fromMs = systemClock.elapsedMs()
      const answer = attempt(request).finally(() => {
        if (owner !== undefined) modelTime.charge(owner, systemClock.elapsedMs() - fromMs)
        slots.give()
      })
      answer.catch(() => undefined) // nobody may be there to hear of it
      return untilAborted(signal, () => answer)
    },
  }
}

function classify(death: ProcessDied, limits: ESpeakLimits): Error {
  if (!death.late) return retryable('worker_failed', 'The voice ended in the middle of a sentence. Try again.', death)
  const seconds = Math.round(limits.requestMs / 1000)
  return terminal('invalid_request', `Speaking one clause took longer than ${seconds} s, which is the limit.`, death)
}
