import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'

/**
 * The kernel shows in /proc/PID/environ the memory in which a program was given its environment, whatever the program unset since: that memory
 * is overwritten here. Only entries that are read elsewhere by now may be: `isMoved` is asked of each, by its text. Throws where the kernel
 * does not let us; does nothing on systems without such a file.
 */
export function emptyEnvironmentBlock(isMoved: (entry: string) => boolean): void {
  if (!existsSync('/proc/self/environ')) return
  const { start, end } = boundsIn(readFileSync('/proc/self/stat', 'utf8'))
  const memory = openSync('/proc/self/mem', 'r+')
  try {
    const block = Buffer.alloc(end - start)
    readSync(memory, block, 0, block.length, start)
    for (let at = 0; at < block.length;) {
      const found = block.indexOf(0, at)
      const entry = block.subarray(at, found < 0 ? block.length : found)
      at += entry.length + 1
      const text = entry.toString('utf8')
      // what is no UTF-8 was moved as something else
      if (Buffer.from(text).equals(entry) && isMoved(text)) entry.fill(0)
    }
    writeSync(memory, block, 0, block.length, start)
  } finally {
    closeSync(memory)
  }
}

/** Fields 50 and 51 of /proc/PID/stat; the second one is a name in brackets, which may hold anything. */
function boundsIn(stat: string): { start: number; end: number } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { start: Number(fields[47]), end: Number(fields[48]) }
}
