import type { Voices } from '../../../actors/conversation/ports.ts'
import type { ItemWire } from '../../wire/item-schema.ts'
import { oneOf, refused, shortened } from '../../wire/refusal.ts'
import type { Refusal } from '../../wire/refusal.ts'
import type { SettingsWire } from '../../wire/settings-schema.ts'
import { choiceAdvice } from '../../wire/tool-fields.ts'
import type { SessionPorts } from '../ports.ts'
import type { Settings, SettingsPatch } from './settings.ts'

/** Why settings that are well written do not hold for this session. */
export function complaintAboutSettings(
  wire: SettingsWire,
  patch: SettingsPatch,
  { ports, settings }: { readonly ports: SessionPorts; readonly settings: Settings },
): Refusal | undefined {
  if (wire.type !== undefined && wire.type !== ports.kind)
    return refused('invalid_value', `This is a ${ports.kind} session; its type does not change.`, 'session.type')
  if (patch.voice !== undefined && !ports.voices.find(patch.voice))
    return unknownVoice(patch.voice, ports.voices, 'session')
  const unknown = unknownChoice(wire, patch.tools ?? settings.tools)
  if (unknown) return unknown
  const locked = ports.locked ? lockedComplaint(patch, settings, 'session') : undefined
  return locked ?? recordingComplaint(patch, ports.recordings)
}

/** Who asks for a recording is told at once that there will be none. */
export function recordingComplaint(
  { keep, callbackUrl }: SettingsPatch,
  recordings: SessionPorts['recordings'],
): Refusal | undefined {
  if (keep) {
    const why = recordings ? recordings.unavailable() : 'No sessions are recorded by this server.'
    if (why !== undefined) return refused('recording_unavailable', why, 'session.vaak.keep')
  }
  const refusal = callbackUrl ? recordings?.refusalOf(callbackUrl) : undefined
  return refusal === undefined ? undefined : refused('invalid_value', refusal, 'session.vaak.callback_url')
}

/** A bare word is a choice only where it names a tool: otherwise it is a word that we do not know. */
export function unknownChoice({ tool_choice: choice }: SettingsWire, tools: Settings['tools']): Refusal | undefined {
  if (typeof choice !== 'object' || !('bareName' in choice)) return undefined
  if (tools.some(({ name }) => name === choice.bareName)) return undefined
  return refused('invalid_value', `Invalid value for 'session.tool_choice': ${choiceAdvice()}`, 'session.tool_choice')
}

const lockedFields = {
  instructions: 'instructions',
  maxOutputTokens: 'max_output_tokens',
  tools: 'tools',
  toolServers: 'tools',
  keep: 'vaak.keep',
  callbackUrl: 'vaak.callback_url',
} as const

/** What a locked token has the last word about. */
export function lockedPart(settings: Settings) {
  const { instructions, maxOutputTokens, tools, toolServers, keep, callbackUrl } = settings
  return { instructions, maxOutputTokens, tools, toolServers, keep, callbackUrl } satisfies Pick<
    Settings,
    keyof typeof lockedFields
  >
}

/** A locked token's settings may be repeated, not changed. */
export function lockedComplaint(patch: SettingsPatch, current: Settings, where: string): Refusal | undefined {
  for (const [field, wireName] of Object.entries(lockedFields)) {
    const key = field as keyof typeof lockedFields // as: the keys of a constant
    if (patch[key] === undefined || JSON.stringify(patch[key]) === JSON.stringify(current[key])) continue
    const param = `${where}.${wireName}`
    return refused('invalid_value', `'${param}' is fixed by the token that this session was opened with.`, param)
  }
  return undefined
}

/** What a locked token's client may write is what a user says, and what a tool that was called answers. */
export function lockedItemComplaint(item: ItemWire, where: string): Refusal | undefined {
  if (item.type === 'message' ? item.role === 'user' : item.type === 'function_call_output') return undefined
  const what = item.type === 'message' ? `${item.role} messages` : 'function calls'
  return refused('invalid_value', `The token that this session was opened with lets nobody write ${what}.`, where)
}

export function unknownVoice(name: string, voices: Voices, where: string): Refusal {
  const known = oneOf(voices.list().map(({ id }) => id))
  return refused('invalid_value', `There is no voice '${shortened(name)}'. ${known}`, `${where}.voice`)
}
