import type { Voices } from '../../actors/conversation/ports.ts'
import { parseSettings } from '../wire/client-events.ts'
import type { Refusal } from '../wire/refusal.ts'
import { settingsPatch } from '../wire/settings-patch.ts'
import { sessionWire } from '../wire/write-session.ts'
import type { SessionLimits } from './limits.ts'
import { defaultSettings, withPatch } from './settings.ts'
import type { Settings } from './settings.ts'
import { unknownVoice } from './settings-rules.ts'
import type { Dialect, SessionKind } from './surroundings.ts'

interface OpeningOf {
  readonly kind: SessionKind
  /** Settings as a client wrote them, in either shape. */
  readonly defaults?: unknown
  readonly voices: Voices
  readonly limits: SessionLimits
}

/** The settings a session begins with. */
export function openingSettings(of: OpeningOf): { readonly settings: Settings } | { readonly refusal: Refusal } {
  const voice = of.voices.find('alloy') ?? of.voices.list()[0]
  const plain = defaultSettings(voice?.id ?? '')
  const settings = of.kind === 'transcription' ? { ...plain, transcription: {} } : plain
  if (of.defaults === undefined || of.defaults === null) return { settings }
  const parsed = parseSettings(of.defaults, of.limits)
  if ('refusal' in parsed) return parsed
  const patch = settingsPatch(parsed.wire)
  if (patch.voice !== undefined && !of.voices.find(patch.voice))
    return { refusal: unknownVoice(patch.voice, of.voices, 'session') }
  return { settings: withPatch(settings, patch) }
}

/** What a session opened with these settings would show, for the answer to who asks for an ephemeral token. */
export function previewSession(
  of: OpeningOf & {
    readonly dialect: Dialect
    readonly model: string
    readonly id: string
    readonly expiresAt: number
  },
): { readonly session: object } | { readonly refusal: Refusal } {
  const opened = openingSettings(of)
  if ('refusal' in opened) return opened
  return { session: sessionWire({ ...of, settings: opened.settings }, of.dialect) }
}
