import { usualTemperature } from '../session/settings/settings.ts'
import type { Dialect } from '../session/ports.ts'
import type { ResponseView, Usage } from './server-events.ts'
import { itemWire } from './write-item.ts'
import { formatWire } from './write-session.ts'

export function responseWire(response: ResponseView, dialect: Dialect): object {
  const { settings } = response
  return {
    object: 'realtime.response',
    id: response.id,
    status: response.status,
    status_details: response.details,
    output: response.output.map((item) => itemWire(item, dialect)),
    conversation_id: response.conversationId,
    ...(dialect === 'ga'
      ? {
          output_modalities: [settings.modality],
          max_output_tokens: settings.maxOutputTokens,
          audio: { output: { format: formatWire(settings.outputFormat, 'ga'), voice: settings.voice } },
        }
      : {
          modalities: settings.modality === 'audio' ? ['audio', 'text'] : ['text'],
          voice: settings.voice,
          output_audio_format: settings.outputFormat,
          temperature: settings.temperature ?? usualTemperature,
          max_output_tokens: settings.maxOutputTokens,
        }),
    usage: response.usage && usageWire(response.usage),
    metadata: response.metadata,
  }
}

/** The conversation model reads and writes text, so audio costs no tokens of its own. */
function usageWire({ inputTokens, outputTokens, cachedTokens }: Usage): object {
  return {
    total_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_token_details: {
      text_tokens: inputTokens,
      audio_tokens: 0,
      image_tokens: 0,
      cached_tokens: cachedTokens,
      cached_tokens_details: { text_tokens: cachedTokens, audio_tokens: 0, image_tokens: 0 },
    },
    output_token_details: { text_tokens: outputTokens, audio_tokens: 0 },
  }
}
