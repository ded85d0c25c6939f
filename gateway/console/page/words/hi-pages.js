/** Of the pages beside the recordings, in Hindi. */
export const hiPages = {
  'frame.voices': 'आवाज़ें',
  'voices.title': 'आवाज़ें',
  'voices.lead': 'कुछ लिखें, चुनें कि कौन बोले, और फ़ाइल साथ ले जाएँ। हर आवाज़ हिन्दी, तमिल और अंग्रेज़ी बोलती है, मिली-जुली भी।',
  'voices.text': 'क्या बोलना है',
  'voices.sample': 'नमस्ते! Meeting कल सुबह 10:30 बजे है, वहीं मिलते हैं।',
  'voices.voice': 'आवाज़',
  'voices.female': 'महिला',
  'voices.male': 'पुरुष',
  'voices.speed': 'रफ़्तार',
  'voices.times': '{speed}×',
  'voices.listen': 'सुनें',
  'voices.wav': 'WAV डाउनलोड करें',
  'voices.mp3': 'MP3 डाउनलोड करें',
  'voices.player': 'जो बोला गया',
  'voices.begun': 'बोला जा रहा है।',
}
