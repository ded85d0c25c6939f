import { openListener } from '../../infra/speech/engine/listener.ts'
import type { ModelSources } from '../../infra/speech/models/open-store.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'

/** The small models, which follow who speaks as sessions have them. */
export function followingListener(sources: ModelSources): ReturnType<typeof openListener> {
  return openListener({ ...sources, profile: 'fast', whisperModel: '', follows: true, startProgress: noProgress })
}
