import type { Records, Revision } from '../../actors/ports.ts'

/** Says again and again that a server lives. What it holds counts for others for as long as it does. */
export type NodePulse = Readonly<Record<string, never>>

/** How often it is said … */
export const pulseMs = 3_000
/** … and for how long it is believed, by the clock of the broker: three may be missed. */
export const livesMs = 10_000

export class OwnPulse {
  readonly #records: Records<NodePulse>
  readonly #key: string
  #revision: Revision | undefined

  constructor(records: Records<NodePulse>, nodeId: string) {
    this.#records = records
    this.#key = keyOf(nodeId)
  }

  async beat(): Promise<void> {
    const written =
      this.#revision === undefined
        ? await this.#records.create(this.#key, {})
        : await this.#records.replace(this.#key, {}, this.#revision)
    if (typeof written === 'number') this.#revision = written
    else await this.end() // it vanished, as all of them do that are not said again, or was written by a beat that seemed to fail
  }

  async end(): Promise<void> {
    this.#revision = undefined
    await this.#records.erase(this.#key)
  }
}

export async function isAlive(records: Records<NodePulse>, nodeId: string): Promise<boolean> {
  const pulse = await records.read(keyOf(nodeId))
  return pulse !== undefined && (await records.ageMs(pulse)) < livesMs
}

function keyOf(nodeId: string): string {
  return `node.${nodeId}`
}
