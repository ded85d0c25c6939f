import { checks } from '../check/checks.ts'
import type { CheckName } from '../check/checks.ts'
import { kindsFor } from '../nemesis/plan.ts'
import type { ChaosRun } from '../run.ts'

/** What a run came to. */
export interface ChaosSummary {
  readonly isPassed: boolean
  readonly verdicts: readonly ChaosVerdict[]
  readonly lost: number
  readonly doubled: number
  readonly operations: number
  readonly faults: number
  readonly kinds: number
  /** The one command that does it again. */
  readonly replay: string
}

interface ChaosVerdict {
  readonly check: CheckName
  readonly about: string
  readonly complaints: readonly string[]
}

export function chaosSummary(run: ChaosRun): ChaosSummary {
  const { history } = run
  const verdicts = Object.entries(checks).map(([name, about]): ChaosVerdict => {
    const check = name as CheckName // as: the keys of `checks`
    return {
      check,
      about,
      complaints: history.complaints.filter((one) => one.check === check).map((one) => one.sentence),
    }
  })
  const of = (...names: readonly CheckName[]): number =>
    verdicts.filter(({ check }) => names.includes(check)).reduce((sum, { complaints }) => sum + complaints.length, 0)
  return {
    isPassed: history.complaints.length === 0,
    verdicts,
    lost: of('accepted', 'words', 'vanished'),
    doubled: of('once', 'results'),
    operations: history.operations.length,
    faults: history.faults.length,
    kinds: new Set(history.faults.map(({ kind }) => kind)).size,
    replay: replayOf(run),
  }
}

function replayOf({ options }: ChaosRun): string {
  const { profile, minutes, seed, users, broken, isMixed, kinds } = options
  const some = kinds.length === kindsFor(profile).length ? '' : ` --faults ${kinds.join(',')}`
  const wrong = broken === undefined ? '' : ` --break ${broken}`
  const mixed = isMixed ? ' --mixed' : ''
  return `npm run chaos -- --profile ${profile} --minutes ${minutes} --seed ${seed} --users ${users}${some}${wrong}${mixed}`
}
