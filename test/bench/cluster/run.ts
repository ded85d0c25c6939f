import type { Ledger } from '../../chaos/clients/ledger.ts'
import type { History } from '../../chaos/history.ts'
import type { ClusterKind } from '../../support/cluster-command.ts'
import type { DashboardLook } from './dashboard-looks.ts'
import type { ClusterBenchOptions } from './options.ts'
import type { Talkers } from './talkers.ts'

/** What a run of this bench came to. */
export interface ClusterRun {
  readonly options: ClusterBenchOptions
  readonly history: History
  readonly ledger: Ledger
  readonly talkers: Talkers['seen']
  readonly kills: readonly Kill[]
  readonly looks: readonly { readonly when: string; readonly look: DashboardLook }[]
  /** While users and talkers began new things, and until everything had ended. */
  readonly loadMs: number
  readonly endedMs: number
}

export interface Kill {
  readonly kind: ClusterKind
  readonly atMs: number
}
