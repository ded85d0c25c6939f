import type { FollowedTurn, Listener, TranscribedTurn } from '../../../actors/conversation/ports.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { Transcribing } from '../settings/settings.ts'
import { TurnReader } from './turn-reader.ts'
import { transcribeOptions } from './transcribe-options.ts'

/** The audio of the turn that is being spoken. */
export interface TurnSource {
  readonly rate: number
  /** What came since the last call and was looked at by the detector. */
  next(): Int16Array
  /** How likely somebody who pauses has finished, 0 to 1. */
  judgePause(finished: number): void
}

interface FollowTurnOptions {
  readonly itemId: string
  readonly source: TurnSource
  /** Null when nobody is told the words. */
  readonly transcription: Transcribing | null
  readonly judgesPauses: boolean
  readonly isAnswered: boolean
  /** Called with each piece of text before the turn is over. */
  readonly tell: (text: string) => void
}

/** A turn of the session that is transcribed while it is spoken. */
export interface TurnUnderWay extends Pick<FollowedTurn, 'came' | 'close'> {
  readonly itemId: string
  /** The rest of its pieces goes to `tell`. */
  finish(audio: AudioClip, tell: (text: string) => void): Promise<TranscribedTurn>
}

export function followTurn(listener: Listener, options: FollowTurnOptions): TurnUnderWay | undefined {
  const { itemId, source, transcription, judgesPauses, isAnswered } = options
  const reader = new TurnReader(source.rate, () => source.next())
  let { tell } = options
  const followed = listener.follow({
    ...transcribeOptions(transcription),
    read: () => reader.read(),
    isAnswered,
    ...(judgesPauses && { judgePause: (finished: number) => source.judgePause(finished) }),
    ...(transcription && { tell: (text: string) => tell(text) }),
  })
  return (
    followed && {
      itemId,
      came: (samples, quiet) => followed.came(samples, quiet),
      close: () => followed.close(),
      finish(audio, tellRest) {
        tell = tellRest
        reader.end(audio)
        return followed.finish()
      },
    }
  )
}
