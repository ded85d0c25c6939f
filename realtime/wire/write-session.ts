import type { ToolApproval } from '../../actors/conversation/ports.ts'
import type { Dialect, SessionKind } from '../session/ports.ts'
import { usualTemperature } from '../session/settings/settings.ts'
import type { Settings, WireAudioFormat, TurnDetection } from '../session/settings/settings.ts'
import type { SessionView } from './server-events.ts'

export function sessionWire(session: SessionView, dialect: Dialect): object {
  return { ...inDialect(session, dialect), ...ownWire(session.settings) }
}

function inDialect(session: SessionView, dialect: Dialect): object {
  if (session.kind === 'transcription') return transcriptionWire(session, dialect)
  return dialect === 'ga' ? nested(session) : flat(session)
}

/** Ours alone, and only there where it was asked for: existing clients know nothing of it. */
function ownWire({ keep, callbackUrl, recording, vocabulary }: Settings): object {
  const file = recording && { file_id: recording.fileId }
  const kept = keep && { keep, ...file, ...(callbackUrl !== null && { callback_url: callbackUrl }) }
  const words = typeof vocabulary === 'string' && { vocabulary }
  return kept || words ? { vaak: { ...kept, ...words } } : {}
}

export function formatWire(format: WireAudioFormat, dialect: Dialect): object | string {
  if (dialect === 'beta') return format
  return format === 'pcm16' ? { type: 'audio/pcm', rate: 24_000 } : { type: lawNames[format] }
}

const lawNames = { g711_ulaw: 'audio/pcmu', g711_alaw: 'audio/pcma' } as const

function nested({ id, model, expiresAt, settings }: SessionView): object {
  return {
    type: 'realtime',
    object: 'realtime.session',
    id,
    model,
    output_modalities: [settings.modality],
    instructions: settings.instructions,
    tools: toolsWire(settings),
    tool_choice: choiceWire(settings),
    max_output_tokens: settings.maxOutputTokens,
    tracing: settings.tracing,
    truncation: settings.truncation,
    prompt: null,
    expires_at: expiresAt,
    audio: {
      input: inputWire(settings, 'realtime'),
      output: { format: formatWire(settings.outputFormat, 'ga'), voice: settings.voice, speed: settings.speed },
    },
    include: settings.include,
    ...(settings.parallelToolCalls === undefined ? {} : { parallel_tool_calls: settings.parallelToolCalls }),
    ...(settings.reasoning === undefined ? {} : { reasoning: settings.reasoning }),
  }
}

function flat({ id, model, expiresAt, settings }: SessionView): object {
  return {
    id,
    object: 'realtime.session',
    model,
    expires_at: expiresAt,
    modalities: settings.modality === 'audio' ? ['audio', 'text'] : ['text'],
    instructions: settings.instructions,
    voice: settings.voice,
    input_audio_format: settings.inputFormat,
    output_audio_format: settings.outputFormat,
    input_audio_transcription: settings.transcription,
    input_audio_noise_reduction: settings.noiseReduction && { type: settings.noiseReduction },
    turn_detection: turnsWire(settings.turnDetection, 'realtime'),
    tools: toolsWire(settings),
    tool_choice: choiceWire(settings),
    temperature: settings.temperature ?? usualTemperature,
    max_response_output_tokens: settings.maxOutputTokens,
    speed: settings.speed,
    tracing: settings.tracing,
    prompt: null,
    include: settings.include,
    client_secret: null,
  }
}

function transcriptionWire({ id, expiresAt, settings }: SessionView, dialect: Dialect): object {
  const known = { object: 'realtime.transcription_session', id, expires_at: expiresAt }
  if (dialect === 'ga')
    return {
      type: 'transcription',
      ...known,
      audio: { input: inputWire(settings, 'transcription') },
      include: settings.include,
    }
  return {
    ...known,
    modalities: ['audio', 'text'],
    input_audio_format: settings.inputFormat,
    input_audio_transcription: settings.transcription,
    input_audio_noise_reduction: settings.noiseReduction && { type: settings.noiseReduction },
    turn_detection: turnsWire(settings.turnDetection, 'transcription'),
    include: settings.include,
    client_secret: null,
  }
}

function inputWire(settings: Settings, kind: SessionKind): object {
  return {
    format: formatWire(settings.inputFormat, 'ga'),
    transcription: settings.transcription,
    noise_reduction: settings.noiseReduction && { type: settings.noiseReduction },
    turn_detection: turnsWire(settings.turnDetection, kind),
  }
}

/** The answers' part of it is left out where nothing answers. */
function turnsWire(turns: TurnDetection | null, kind: SessionKind): object | null {
  if (!turns) return null
  const answering =
    kind === 'transcription'
      ? {}
      : { create_response: turns.createResponse, interrupt_response: turns.interruptResponse }
  if (turns.type === 'semantic_vad') return { type: turns.type, eagerness: turns.eagerness, ...answering }
  return {
    type: turns.type,
    threshold: turns.threshold,
    prefix_padding_ms: turns.prefixPaddingMs,
    silence_duration_ms: turns.silenceDurationMs,
    ...(kind === 'transcription' ? {} : { idle_timeout_ms: turns.idleTimeoutMs }),
    ...answering,
  }
}

/** What lets us in at a tool server is not told back. */
function toolsWire({ tools, toolServers }: Settings): object[] {
  return [
    ...tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters })),
    ...toolServers.map(({ label, url, allowed, approval }) => ({
      type: 'mcp',
      server_label: label,
      server_url: url,
      allowed_tools: allowed ?? null,
      require_approval: approvalWire(approval),
    })),
  ]
}

function approvalWire(approval: ToolApproval | undefined): string | object {
  if (approval === undefined || approval === 'always') return approval ?? 'never'
  const named = Object.entries(approval).filter(([, names]) => names !== undefined)
  return Object.fromEntries(named.map(([when, names]) => [when, { tool_names: names }]))
}

function choiceWire({ toolChoice }: Settings): string | object {
  return typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.name }
}
