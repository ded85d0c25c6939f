import type { Model } from './model.ts'

/** Our own models. They come with Vaak; each has its card beside it. */
export const vaakModels: readonly Model[] = [
  {
    id: 'vaak-hinglish-small',
    folder: 'hinglish-ctc',
    languages: ['hi', 'en'],
    measured: 'Hindi WER 32, CER 15 %',
    licence: 'Apache-2.0',
    source: { kind: 'repository' },
    files: [
      {
        path: 'small.int8.onnx',
        sizeBytes: 98_617_859,
        sha256: '736ba03f9c1fa6e09d437650d690d86638ce4353b3007dc0b3f89b1c8d114c38',
      },
      {
        path: 'vocab.json',
        sizeBytes: 578,
        sha256: '4e8fddffc1104af23dcd99bb7c2caa84b1bb39a1d64358338c0da8e390587f20',
      },
    ],
  },
  {
    id: 'vaak-hinglish-base',
    folder: 'hinglish-ctc',
    languages: ['hi', 'en'],
    measured: 'Hindi WER 47, CER 24 %',
    licence: 'Apache-2.0',
    source: { kind: 'repository' },
    files: [
      {
        path: 'base.int8.onnx',
        sizeBytes: 26_113_789,
        sha256: '892089279f7ce91ded4deb36812af50628fdaa7013c948e180f6bf82ca70ece3',
      },
      {
        path: 'vocab.json',
        sizeBytes: 578,
        sha256: '4e8fddffc1104af23dcd99bb7c2caa84b1bb39a1d64358338c0da8e390587f20',
      },
    ],
  },
  {
    id: 'vaak-hinglish-lm',
    folder: 'hinglish-ctc',
    languages: ['hi', 'en'],
    licence: 'CC-BY, CC0 and MIT (see the card)',
    source: { kind: 'repository' },
    files: [
      {
        path: 'lm.bin',
        sizeBytes: 15_999_998,
        sha256: '5b114a93d64fed2a6190c3f4e403d9bcaf5f254130331f6e6451bd9b7ca4b5b0',
      },
    ],
  },
  {
    id: 'vaak-punctuation',
    folder: 'punctuation',
    languages: ['hi', 'en'],
    licence: 'Apache-2.0',
    source: { kind: 'repository' },
    files: [
      {
        path: 'punctuation.onnx',
        sizeBytes: 3_737_998,
        sha256: 'a6b972e57340d18ba6ab1b64c0c28564119a90e35bd2ef500901ac877d2ff35c',
      },
      {
        path: 'vocab.json',
        sizeBytes: 578,
        sha256: '4e8fddffc1104af23dcd99bb7c2caa84b1bb39a1d64358338c0da8e390587f20',
      },
    ],
  },
]
