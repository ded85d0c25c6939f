/** Of the pages beside the recordings, in English. */
export const enPages = {
  'frame.voices': 'Voices',
  'voices.title': 'Voices',
  'voices.lead':
    'Type something, choose who says it, and take it along. Each voice speaks Hindi, Tamil and English, mixed too.',
  'voices.text': 'What to say',
  'voices.sample': 'Hello! The meeting is tomorrow at 10:30, कल मिलते हैं।',
  'voices.voice': 'Voice',
  'voices.female': 'female',
  'voices.male': 'male',
  'voices.speed': 'Speed',
  'voices.times': '{speed}×',
  'voices.listen': 'Listen',
  'voices.wav': 'Download WAV',
  'voices.mp3': 'Download MP3',
  'voices.player': 'What was spoken',
  'voices.begun': 'It is being spoken.',
}
