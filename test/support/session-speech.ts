import type { TestFn } from 'ava'

import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { openDetector } from '../../infra/speech/vad/live/detector.ts'
import { followingListener } from './following-listener.ts'
import { aFetchedModel } from './models.ts'
import { cacheFolderForTests } from './nats.ts'
import { silentLog } from './silent-log.ts'

/** The detector and the recogniser that sessions have, and the light voices, for all tests of a file. */
export function sessionSpeech(test: TestFn) {
  const places = { cacheDir: cacheFolderForTests(), modelDir: '' }
  const detector = openDetector({
    modelPath: async () => (await aFetchedModel('silero-vad')).files['silero_vad_v6.onnx']!,
    log: silentLog,
  })
  const listener = followingListener(places)
  const voices = openVoices({ ...places, engine: 'light', voicesFile: '', log: silentLog })
  test.after.always(() => Promise.all([detector.close(), listener.close(), voices.close()]))
  return { detector, listener, voices }
}
