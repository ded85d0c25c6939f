/** When which audio came, for as long as it is still to be judged. */
export class AudioArrivals {
  readonly #waiting: { readonly end: number; readonly at: number }[] = []
  #last = 0

  /** Of audio up to this position. */
  came(end: number, atMs: number): void {
    this.#last = atMs
    this.#waiting.push({ end, at: atMs })
  }

  /** Asked from the front to the back: what lies before is forgotten. */
  atPosition(position: number): number {
    while (this.#waiting.length > 1 && this.#waiting[0]!.end < position) this.#waiting.shift()
    return this.#waiting[0]?.at ?? this.#last
  }

  forget(): void {
    this.#waiting.length = 0
  }
}
