/** Numbers that come and go, kept in rising order in memory of a fixed size. */
export class SortedWindow {
  size = 0
  readonly #numbers: Float32Array

  constructor(most: number) {
    // the next comes before the oldest goes
    this.#numbers = new Float32Array(most + 1)
  }

  add(value: number): void {
    const at = this.#placeOf(value)
    this.#numbers.copyWithin(at + 1, at, this.size)
    this.#numbers[at] = value
    this.size += 1
  }

  /** One that was added. */
  remove(value: number): void {
    const at = this.#placeOf(value)
    this.#numbers.copyWithin(at, at + 1, this.size)
    this.size -= 1
  }

  /** The higher of two middle ones; 0 when there is none. */
  median(): number {
    return this.size === 0 ? 0 : this.#numbers[this.size >> 1]!
  }

  /** Of the first number that is no smaller. */
  #placeOf(value: number): number {
    let [low, high] = [0, this.size]
    while (low < high) {
      const between = (low + high) >> 1
      if (this.#numbers[between]! < value) low = between + 1
      else high = between
    }
    return low
  }
}
