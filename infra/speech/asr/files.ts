import type { LocatedModel } from '../models/model.ts'
import { whisperExport } from '../models/own-models.ts'
import type { MoonshineFiles } from './moonshine/moonshine.ts'
import type { WhisperFiles } from './whisper/whisper.ts'

/** By its files: the operator may give a model any name. */
export function isWhisper({ files }: LocatedModel): boolean {
  return whisperExport.every((path) => path in files)
}

/** Which file of a located model is which. Larger exports in the same layout have the same names. */
export function whisperFiles({ id, files }: LocatedModel): WhisperFiles {
  const path = pathIn(id, files)
  const withPast = files['onnx/decoder_with_past_model_quantized.onnx']
  return {
    config: path('config.json'),
    generation: path('generation_config.json'),
    tokenizer: path('tokenizer.json'),
    encoder: path('onnx/encoder_model_quantized.onnx'),
    decoder: files['onnx/decoder_model_merged_quantized.onnx'] ?? path('onnx/decoder_model_quantized.onnx'),
    ...(withPast === undefined ? {} : { decoderWithPast: withPast }),
  }
}

/** The two networks lie in a folder of their size; the vocabulary is in the package's script, beside all sizes. */
export function moonshineFiles({ id, files }: LocatedModel): MoonshineFiles {
  const endingIn = (name: string): string => {
    const found = Object.entries(files).find(([path]) => path === name || path.endsWith(`/${name}`))
    if (!found) throw new RangeError(`the model ${id} has no file ${name}`)
    return found[1]
  }
  return {
    encoder: endingIn('encoder_model.onnx'),
    decoder: endingIn('decoder_model_merged.onnx'),
    vocabulary: endingIn('moonshine.min.js'),
  }
}

function pathIn(id: string, files: LocatedModel['files']): (name: string) => string {
  return (name) => {
    const found = files[name]
    if (found === undefined) throw new RangeError(`the model ${id} has no file ${name}`)
    return found
  }
}
