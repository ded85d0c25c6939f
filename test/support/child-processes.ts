import { readdirSync, readFileSync } from 'node:fs'

/** The processes that this one started, by the kernel's own table. */
export function childProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent)
}

function parentOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
    return fields?.[0] === 'Z' ? undefined : Number(fields?.[1])
  } catch {
    return undefined // it ended while we looked
  }
}
