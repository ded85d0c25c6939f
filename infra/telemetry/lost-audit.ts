import type { Metrics } from './metrics.ts'

/** Returns what counts an audit event that is in the log only. */
export function countLostAudit(metrics: Metrics): () => void {
  const count = metrics.counter({
    name: 'vaak_audit_lost_total',
    help: 'Audit events that could not be stored and are in the log only, by why.',
    label: 'why',
  })
  return () => count('broker')
}
