import type { ToolChoice } from '../../actors/conversation/ports.ts'
import type { SettingsPatch } from '../session/settings/settings.ts'
import { present } from './present.ts'
import type { AnswerWire, SettingsWire } from './settings-schema.ts'

export function settingsPatch(wire: SettingsWire): SettingsPatch {
  const { input, output } = wire.audio ?? {}
  return {
    ...answerPatch(wire),
    ...present('inputFormat', input?.format ?? wire.input_audio_format),
    ...present('transcription', given(input?.transcription, wire.input_audio_transcription)),
    ...present('noiseReduction', given(input?.noise_reduction, wire.input_audio_noise_reduction)),
    ...present('turnDetection', given(input?.turn_detection, wire.turn_detection)),
    ...present('outputFormat', output?.format ?? wire.output_audio_format),
    ...present('voice', output?.voice ?? wire.voice),
    ...present('speed', output?.speed ?? wire.speed),
    ...present('truncation', wire.truncation),
    ...present('tracing', wire.tracing),
    ...present('include', wire.include),
    ...present('vocabulary', wire.vaak?.vocabulary),
    ...present('keep', wire.vaak?.keep),
    ...present('callbackUrl', wire.vaak?.callback_url),
  }
}

export function answerPatch(wire: AnswerWire): SettingsPatch {
  const tokens = wire.max_output_tokens ?? wire.max_response_output_tokens
  return {
    ...present('modality', wire.output_modalities ?? wire.modalities),
    ...present('instructions', wire.instructions === null ? '' : wire.instructions),
    ...present('outputFormat', wire.output_audio_format),
    ...present('voice', wire.voice),
    ...toolsPatch(wire.tools),
    ...present('toolChoice', choiceOf(wire)),
    ...present('temperature', wire.temperature ?? undefined),
    ...present('maxOutputTokens', tokens ?? undefined),
    ...present('parallelToolCalls', wire.parallel_tool_calls ?? undefined),
    ...present('reasoning', wire.reasoning ?? undefined),
  }
}

/** One list on the wire: what the client runs, and where we call what others run. */
function toolsPatch(wire: AnswerWire['tools']): Pick<SettingsPatch, 'tools' | 'toolServers'> {
  if (wire === undefined) return {}
  const all = wire ?? []
  return {
    tools: all.flatMap((tool) => ('server' in tool ? [] : [tool])),
    toolServers: all.flatMap((tool) => ('server' in tool ? [tool.server] : [])),
  }
}

function choiceOf({ tool_choice: choice }: AnswerWire): ToolChoice | undefined {
  return typeof choice === 'object' && 'bareName' in choice ? { name: choice.bareName } : choice
}

/** The newer shape's value when it is there, null included. */
function given<T>(nested: T | undefined, flat: T | undefined): T | undefined {
  return nested === undefined ? flat : nested
}
