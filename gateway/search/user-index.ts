import { setImmediate as breathe } from 'node:timers/promises'

import MiniSearch from 'minisearch'

import type { RunRef } from '../../actors/ids.ts'
import type { StoredPassages } from '../../actors/search/state.ts'

export interface FoundRun extends Pick<RunRef, 'fileId' | 'batchId'> {
  /** Of its words, where they were edited. */
  readonly version?: number
}

/** A place in a file where all that was asked for is. */
export interface FoundPassage {
  readonly run: FoundRun
  /** Its number in the file. */
  readonly passage: number
  /** Under which its words were found: what was asked for, and what is spelt nearly like it. */
  readonly terms: ReadonlySet<string>
}

/** Words of a text as they are looked up: alike in every script and spelling. */
export type TermsOf = (text: string) => string[]

/** What a file takes besides its words, as many more of them. */
export const fileWeight = 20
/** Passages that are taken in at one go, while nobody else is served. */
const stride = 10
/** A longer word may have more letters wrong: one in five. Short ones would be found everywhere. */
const fuzziness = 0.2
const fuzzyFromLetters = 4
/** More are a mistake of a program, and cost time in which nobody else is served. */
const wrongLettersMax = 2
/** A shorter beginning is that of a large part of all words. */
const prefixFromLetters = 2
/** Of what is looked for: what is said in one breath is found by fewer, and each costs its time. */
const termsMax = 16
/** Of what is held, the part that may have been forgotten before it is cleared away. */
const forgottenShareMax = 0.25

interface HeldFile {
  readonly ids: readonly number[]
  readonly weight: number
}

/** What one user’s files say, as it can be searched, in memory. The words themselves are not in here: only where they are. */
export class UserIndex {
  readonly #index: MiniSearch<{ readonly id: number; readonly text: string }>
  readonly #files = new Map<string, HeldFile>()
  readonly #places = new Map<number, { readonly run: FoundRun; readonly passage: number }>()
  #nextId = 0
  #heldWeight = 0
  #forgotten = 0

  constructor(termsOf: TermsOf) {
    this.#index = new MiniSearch({
      fields: ['text'],
      tokenize: termsOf,
      processTerm: (term) => term,
      // it would begin by itself, while somebody searches
      autoVacuum: false,
      searchOptions: {
        combineWith: 'AND',
        // who types is not at the end of the last word yet
        prefix: (term, at, terms) => at === terms.length - 1 && term.length >= prefixFromLetters,
        fuzzy: (term) => (term.length < fuzzyFromLetters ? false : fuzziness),
        maxFuzzy: wrongLettersMax,
        tokenize: (query) => [...new Set(termsOf(query))].slice(0, termsMax),
      },
    })
  }

  /** What it takes of memory, in words: those that are forgotten take some too, until they are cleared away. */
  get weight(): number {
    return fileWeight + this.#heldWeight + this.#forgotten
  }

  /** The part of it that can be found. */
  get heldWeight(): number {
    return this.#heldWeight
  }

  get keys(): readonly string[] {
    return [...this.#files.keys()]
  }

  /** Undefined when the file is not in it. */
  weightOf(key: string): number | undefined {
    return this.#files.get(key)?.weight
  }

  async add(key: string, run: FoundRun, { passages }: StoredPassages): Promise<void> {
    const ids: number[] = []
    let weight = fileWeight
    for (const [passage, said] of passages.entries()) {
      if (passage % stride === stride - 1) await breathe()
      const id = this.#nextId++
      ids.push(id)
      weight += said.length
      this.#places.set(id, { run, passage })
      this.#index.add({ id, text: said.map(([text]) => text).join(' ') })
    }
    this.#heldWeight += weight
    this.#files.set(key, { ids, weight })
  }

  forget(key: string): void {
    const file = this.#files.get(key)
    if (!file) return
    this.#files.delete(key)
    this.#heldWeight -= file.weight
    this.#forgotten += file.weight
    for (const id of file.ids) {
      this.#places.delete(id)
      this.#index.discard(id)
    }
  }

  /** Gives the memory back of what was forgotten, where that is much. */
  async tidy(): Promise<void> {
    if (this.#forgotten <= this.#heldWeight * forgottenShareMax) return
    await this.#index.vacuum()
    this.#forgotten = 0
  }

  /** The best first. */
  search(query: string): FoundPassage[] {
    return this.#index.search(query).flatMap(({ id, terms }) => {
      const place = this.#places.get(Number(id))
      return place ? [{ ...place, terms: new Set(terms) }] : []
    })
  }
}
