import type { WireAudioFormat } from './settings/settings.ts'

/** Audio as it came: it is brought to another rate where it is wanted at one. */
export interface AudioClip {
  readonly pcm: Int16Array
  readonly rate: number
}

export const rateOf = (format: WireAudioFormat): number => (format === 'pcm16' ? 24_000 : 8_000)

export function bytesPerSecond(format: WireAudioFormat): number {
  return rateOf(format) * (format === 'pcm16' ? 2 : 1)
}

/** From the length alone, before anything is decoded. */
export function bytesIn(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor(((base64.length - padding) * 3) / 4)
}

export function clipSeconds({ pcm, rate }: AudioClip): number {
  return pcm.length / rate
}
