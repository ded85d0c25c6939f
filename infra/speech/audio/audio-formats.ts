/** What speech can be encoded as, at 24 kHz. The first two need no encoder. */
export const soundFormats = ['pcm', 'wav', 'mp3', 'opus', 'aac', 'flac'] as const
export type SoundFormat = (typeof soundFormats)[number]

export type EncodedFormat = Exclude<SoundFormat, 'pcm' | 'wav'>
