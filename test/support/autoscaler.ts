/** How pods of one kind come and go: as the chart asks for it. */
export interface ScalingRule {
  readonly min: number
  readonly max: number
  /** Seconds of audio that wait, for each of which there is one worker. */
  readonly perWorker: number
  readonly pollSeconds: number
  readonly calmSeconds: number
  readonly downAMinute: number
}

/** What a worker is like. */
interface WorkerFacts {
  /** Seconds of audio a second. */
  readonly speed: number
  /** From being asked for to the first chunk: a machine, an image, models. */
  readonly startSeconds: number
  /** What it has taken up at most, in seconds of audio. */
  readonly inHand: number
  /** For how long it goes on with that when it is told to go. */
  readonly drainSeconds: number
}

interface Scaling {
  readonly rule: ScalingRule
  readonly worker: WorkerFacts
  /** Seconds of audio that come in each second. */
  readonly arrivals: (second: number) => number
  readonly seconds: number
}

interface Scaled {
  /** Wanted, at each poll. */
  readonly wanted: readonly number[]
  /** Seconds of audio that wait, at each poll. */
  readonly backlogs: readonly number[]
  readonly transcribed: number
  readonly handedBack: number
}

const tolerance = 0.1
/** What Kubernetes does upwards by default: twice as many, or four more, at each look. */
const upAtOnce = (count: number): number => Math.max(count * 2, count + 4)

/**
 * What Kubernetes' HorizontalPodAutoscaler makes of KEDA's metric, second by second: enough for what waits, at once upwards, and
 * downwards no further than the highest wish of the calm, a few pods a minute.
 */
export function simulateScaling({ rule, worker, arrivals, seconds }: Scaling): Scaled {
  const [wanted, backlogs]: [number[], number[]] = [[], []]
  const wishes: { readonly at: number; readonly count: number }[] = []
  let starting: number[] = []
  let [backlog, transcribed, handedBack, lastDownAt] = [0, 0, 0, -Infinity]
  let running = rule.min
  for (let at = 0; at < seconds; at += 1) {
    backlog += arrivals(at)
    running += starting.filter((readyAt) => readyAt <= at).length
    starting = starting.filter((readyAt) => readyAt > at)
    const done = Math.min(backlog, running * worker.speed)
    backlog -= done
    transcribed += done
    if (at % rule.pollSeconds > 0) continue
    const count = running + starting.length
    wishes.push({ at, count: wishFor(rule, backlog, count) })
    const highest = Math.max(...wishes.filter((wish) => wish.at > at - rule.calmSeconds).map((wish) => wish.count))
    const target = Math.min(wishes.at(-1)!.count > count ? wishes.at(-1)!.count : highest, upAtOnce(count))
    for (let more = count; more < target; more += 1) starting.push(at + worker.startSeconds)
    if (target < count && at - lastDownAt >= 60) {
      const going = Math.min(rule.downAMinute, count - target)
      lastDownAt = at
      starting.splice(0, going)
      running -= Math.max(0, going - (count - running))
      const lost = Math.max(0, worker.inHand - worker.speed * worker.drainSeconds)
      handedBack += going * Math.min(lost, backlog)
    }
    wanted.push(running + starting.length)
    backlogs.push(backlog)
  }
  return { wanted, backlogs, transcribed, handedBack }
}

function wishFor({ min, max, perWorker }: ScalingRule, backlog: number, count: number): number {
  const ratio = backlog / (count * perWorker)
  if (Math.abs(ratio - 1) <= tolerance) return count
  return Math.min(max, Math.max(min, Math.ceil(backlog / perWorker)))
}

/** How often it went the other way than before. */
export function changesOfDirection({ wanted }: Scaled): number {
  const steps = wanted.slice(1).flatMap((count, at) => (count === wanted[at]! ? [] : [Math.sign(count - wanted[at]!)]))
  return steps.filter((step, at) => at > 0 && step !== steps[at - 1]).length
}
