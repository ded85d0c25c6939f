declare module '@echogarden/espeak-ng-emscripten' {
  export interface ESpeakEvent {
    readonly type: string
    /** Counted in characters from 1. */
    readonly text_position: number
    readonly word_length: number
    /** Milliseconds. */
    readonly audio_position: number
    readonly id: string | number | undefined
  }
  export interface ESpeakWorker {
    /** Zero when there is such a voice. */
    set_voice(name: string): number
    set_rate(wordsPerMinute: number): void
    set_pitch(pitch: number): void
    set_range(range: number): void
    synthesize(text: string, tell: (samples: Int16Array | null, events: readonly ESpeakEvent[]) => boolean): void
  }
  export default function load(options: {
    readonly print: (line: string) => void
    readonly printErr: (line: string) => void
  }): Promise<{ readonly eSpeakNGWorker: new () => ESpeakWorker }>
}
