import { createHash, randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'

import { identityOf, thisProcess } from './process-identity.ts'

/**
 * A process in one word, for others that share a disk or a broker with it. Only where process ids mean the same processes can anybody
 * tell from it whether that process lives: on this machine since its boot, or in one container on it.
 */
interface ProcessMarks {
  /** Of this process. */
  readonly mine: string
  /** Undefined when it cannot be told from here. */
  isAlive(mark: string): boolean | undefined
}

export async function openProcessMarks(): Promise<ProcessMarks> {
  const realm = await realmOfProcess()
  const { pid, startedAt } = thisProcess()
  return {
    mine: [realm, pid, shortHash(startedAt)].join('.'),
    isAlive(mark) {
      const [where, number, start] = mark.split('.')
      if (where !== realm) return undefined
      const process = identityOf(Number(number))
      return process !== undefined && shortHash(process.startedAt) === start
    },
  }
}

async function realmOfProcess(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID())
  const namespace = await readlink('/proc/self/ns/pid').catch(() => randomUUID())
  return shortHash(`${boot} ${namespace}`)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
