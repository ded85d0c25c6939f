import type { ToolChoice, ToolDefinition, ToolServer } from '../../../actors/conversation/ports.ts'
import type { FileId } from '../../../actors/ids.ts'

/** What a session or a response is set to, in one form for both dialects. */
export interface Settings {
  readonly modality: Modality
  readonly instructions: string
  readonly inputFormat: WireAudioFormat
  readonly transcription: Transcribing | null
  readonly noiseReduction: 'near_field' | 'far_field' | null
  readonly turnDetection: TurnDetection | null
  readonly outputFormat: WireAudioFormat
  /** As the client named it. */
  readonly voice: string
  readonly speed: number
  readonly tools: readonly ToolDefinition[]
  readonly toolServers: readonly ToolServer[]
  readonly toolChoice: ToolChoice
  readonly maxOutputTokens: number | 'inf'
  /** Absent unless the client set it: some models take none. */
  readonly temperature?: number
  readonly truncation: Truncation
  /** Kept and shown as the client gave it; nothing here is decided by it. */
  readonly tracing: unknown
  readonly include: readonly string[] | null
  readonly parallelToolCalls?: boolean
  readonly reasoning?: { readonly effort?: string | undefined }
  /** The id of the owner's words that turns are transcribed by. */
  readonly vocabulary: string | null
  /** Whether the session becomes a file of its owner. */
  readonly keep: boolean
  /** Who is told when that file is transcribed. */
  readonly callbackUrl: string | null
  /** What it is recorded as, while it is. */
  readonly recording?: AnnouncedRecording
}

/** A file that a session will be. */
export interface AnnouncedRecording {
  readonly fileId: FileId
  /** By the clock of who announced it. */
  readonly begunAtMs: number
}

/** Audio always comes with its transcript. */
type Modality = 'text' | 'audio'

export type WireAudioFormat = 'pcm16' | 'g711_ulaw' | 'g711_alaw'

export interface Transcribing {
  readonly model?: string
  readonly language?: string
  readonly languages?: readonly string[]
  readonly prompt?: string
  readonly keywords?: readonly string[]
  readonly delay?: string
}

export type Truncation = 'auto' | 'disabled' | { readonly type: 'retention_ratio'; readonly retention_ratio: number }

export type TurnDetection = ServerVad | SemanticVad

interface ServerVad {
  readonly type: 'server_vad'
  readonly threshold: number
  readonly prefixPaddingMs: number
  readonly silenceDurationMs: number
  readonly createResponse: boolean
  readonly interruptResponse: boolean
  readonly idleTimeoutMs: number | null
}

interface SemanticVad {
  readonly type: 'semantic_vad'
  readonly eagerness: 'low' | 'medium' | 'high' | 'auto'
  readonly createResponse: boolean
  readonly interruptResponse: boolean
}

/** Fields that are absent stay as they are; within turn detection too, as long as its type stays. */
export type SettingsPatch = Partial<Omit<Settings, 'turnDetection'>> & {
  readonly turnDetection?: (Partial<ServerVad> & Pick<ServerVad, 'type'>) | Partial<SemanticVad> | null
}

const serverVad: ServerVad = {
  type: 'server_vad',
  threshold: 0.5,
  prefixPaddingMs: 300,
  silenceDurationMs: 500,
  createResponse: true,
  interruptResponse: true,
  idleTimeoutMs: null,
}

const semanticVad: SemanticVad = {
  type: 'semantic_vad',
  eagerness: 'auto',
  createResponse: true,
  interruptResponse: true,
}

/** What sessions are shown that set none. */
export const usualTemperature = 0.8

export function defaultSettings(voice: string): Settings {
  return {
    modality: 'audio',
    instructions: 'You are a helpful voice assistant. Answer briefly, in the language you are spoken to.',
    inputFormat: 'pcm16',
    transcription: null,
    noiseReduction: null,
    turnDetection: serverVad,
    outputFormat: 'pcm16',
    voice,
    speed: 1,
    tools: [],
    toolServers: [],
    toolChoice: 'auto',
    maxOutputTokens: 'inf',
    truncation: 'auto',
    tracing: null,
    include: null,
    vocabulary: null,
    keep: false,
    callbackUrl: null,
  }
}

export function withPatch(settings: Settings, { turnDetection, ...rest }: SettingsPatch): Settings {
  const next = { ...settings, ...rest }
  return turnDetection === undefined
    ? next
    : { ...next, turnDetection: turnDetection && patchedTurns(settings.turnDetection, turnDetection) }
}

/** Audio that goes another way than events has a format of its own there, and one in here. */
export function withFormats(
  settings: Settings,
  { speaker }: { readonly speaker?: { readonly format: WireAudioFormat } | undefined },
): Settings {
  return speaker === undefined ? settings : { ...settings, inputFormat: speaker.format, outputFormat: speaker.format }
}

/** What is kept is recorded, as one file until it is not kept any more. */
export function withRecording(
  { recording, ...settings }: Settings,
  recordings: { announce(): AnnouncedRecording } | undefined,
): Settings {
  if (!settings.keep || !recordings) return settings
  return { ...settings, recording: recording ?? recordings.announce() }
}

function patchedTurns(
  current: TurnDetection | null,
  patch: NonNullable<SettingsPatch['turnDetection']>,
): TurnDetection {
  if (patch.type === 'server_vad')
    return { ...serverVad, ...(current?.type === 'server_vad' ? current : {}), ...patch, type: 'server_vad' }
  return { ...semanticVad, ...(current?.type === 'semantic_vad' ? current : {}), ...patch, type: 'semantic_vad' }
}

export const metricsWanted = 'vaak.metrics'
