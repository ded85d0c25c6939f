import type { Segment } from '../../../actors/transcript/state.ts'

export interface LabelOptions {
  /** Names each voice; without it only the sides of a call are named, where they are kept apart. */
  readonly speakers?: boolean
}

/** Who speaks, as far as it is to be said. */
export function labelOf(
  { channel, speech_information: information }: Segment,
  options: LabelOptions,
): string | undefined {
  if (options.speakers && information) return information.speaker_name ?? information.speaker_id
  return channel === undefined ? undefined : `channel ${channel}`
}
