import type { Voices } from '../../actors/conversation/ports.ts'
import { defaultSessionLimits } from '../session/limits.ts'
import { previewSession } from '../session/settings/opening.ts'
import type { Admitted } from './admit.ts'

/** What is wrong with settings that come with a call, before there is a way to say it in an event. */
export function complaintAboutAsked(
  settings: object | undefined,
  { dialect, kind, model }: Pick<Admitted, 'dialect' | 'kind' | 'model'>,
  voices: Voices,
): string | undefined {
  if (!settings) return undefined
  const limits = defaultSessionLimits
  const preview = previewSession({ dialect, kind, model, defaults: settings, voices, limits, id: '', expiresAt: 0 })
  return 'refusal' in preview ? preview.refusal.message : undefined
}
