/** One good event of each kind that a client may send, to be used as it is or to be spoiled. */
export const goodEvents: readonly Readonly<Record<string, unknown>>[] = [
  {
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions: 'Be kind.',
      output_modalities: ['text'],
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {} } }],
      tool_choice: 'auto',
      audio: {
        input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad', threshold: 0.5 } },
        output: { voice: 'alloy', speed: 1 },
      },
    },
  },
  { type: 'session.update', session: { modalities: ['text'], turn_detection: null, input_audio_format: 'g711_ulaw' } },
  { type: 'input_audio_buffer.append', audio: Buffer.alloc(960, 1).toString('base64') },
  { type: 'input_audio_buffer.commit' },
  { type: 'input_audio_buffer.clear' },
  {
    type: 'conversation.item.create',
    previous_item_id: null,
    item: { id: 'item_a', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  },
  { type: 'conversation.item.create', item: { type: 'function_call_output', call_id: 'call_a', output: '{}' } },
  { type: 'conversation.item.truncate', item_id: 'item_a', content_index: 0, audio_end_ms: 10 },
  { type: 'conversation.item.delete', item_id: 'item_a' },
  { type: 'conversation.item.retrieve', item_id: 'item_a' },
  {
    type: 'response.create',
    response: { output_modalities: ['text'], conversation: 'none', metadata: { a: 'b' }, input: [] },
  },
  { type: 'response.create' },
  { type: 'response.cancel', response_id: 'resp_a' },
  { type: 'output_audio_buffer.clear' },
  { type: 'transcription_session.update', session: { input_audio_format: 'pcm16' } },
]
