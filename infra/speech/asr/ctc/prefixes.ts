const initialCapacity = 4096
const none = -1

/**
 * The prefixes that a beam has thought of, as a tree in flat arrays: a prefix is a number, 0 is the empty one. What
 * depends on the text alone is kept here and computed once for each prefix, however often the beam comes back to it.
 */
export class PrefixTree {
  size = 0
  parent = new Int32Array(initialCapacity)
  symbol = new Int32Array(initialCapacity)
  /** Weighted score of the language model, of the symbols and of the hotwords so far. */
  prior = new Float64Array(initialCapacity)
  /** State of the language model after the prefix. */
  state = new Int32Array(initialCapacity)
  /** How far into a hotword the prefix ends, and what it has been given for that in advance. */
  hotword = new Int32Array(initialCapacity)
  credit = new Float64Array(initialCapacity)
  /** Acoustic scores of the frame before and of this one, with the last frame a blank or the symbol itself. */
  blank = new Float64Array(initialCapacity)
  spoken = new Float64Array(initialCapacity)
  nextBlank = new Float64Array(initialCapacity)
  nextSpoken = new Float64Array(initialCapacity)
  /** The frame for which `nextBlank` and `nextSpoken` hold. */
  frame = new Int32Array(initialCapacity)
  #firstChild = new Int32Array(initialCapacity)
  #nextSibling = new Int32Array(initialCapacity)

  clear(): void {
    this.size = 0
    this.add(none, none)
  }

  find(prefix: number, symbol: number): number {
    let child = this.#firstChild[prefix]!
    while (child !== none && this.symbol[child] !== symbol) child = this.#nextSibling[child]!
    return child
  }

  add(parent: number, symbol: number): number {
    if (this.size === this.parent.length) this.#grow()
    const created = this.size++
    this.parent[created] = parent
    this.symbol[created] = symbol
    this.frame[created] = none
    this.#firstChild[created] = none
    this.#nextSibling[created] = parent === none ? none : this.#firstChild[parent]!
    if (parent !== none) this.#firstChild[parent] = created
    return created
  }

  sequence(prefix: number): number[] {
    const reversed: number[] = []
    for (let at = prefix; at > 0; at = this.parent[at]!) reversed.push(this.symbol[at]!)
    return reversed.reverse()
  }

  #grow(): void {
    this.parent = longer(this.parent)
    this.symbol = longer(this.symbol)
    this.prior = longerFloat(this.prior)
    this.state = longer(this.state)
    this.hotword = longer(this.hotword)
    this.credit = longerFloat(this.credit)
    this.blank = longerFloat(this.blank)
    this.spoken = longerFloat(this.spoken)
    this.nextBlank = longerFloat(this.nextBlank)
    this.nextSpoken = longerFloat(this.nextSpoken)
    this.frame = longer(this.frame)
    this.#firstChild = longer(this.#firstChild)
    this.#nextSibling = longer(this.#nextSibling)
  }
}

function longer(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(array.length * 2)
  copy.set(array)
  return copy
}

function longerFloat(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(array.length * 2)
  copy.set(array)
  return copy
}
