import type { Retention } from '../../actors/retention/state.ts'
import type { Config } from './config.ts'

export function retentionIn(config: Pick<Config, 'retainAudioMs' | 'retainResultsMs' | 'retainRecordsMs'>): Retention {
  return { audio: config.retainAudioMs, results: config.retainResultsMs, records: config.retainRecordsMs }
}
