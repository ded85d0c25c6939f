import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'

/** What somebody would try who runs code in a child of ours: says of each whether it went through. */

const [parentPid = '', port = '', path = ''] = process.argv.slice(2)

function went(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

function connected(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(port) })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
}

const tried = {
  environment: went(() => readFileSync(`/proc/${parentPid}/environ`)),
  memory: went(() => readFileSync(`/proc/${parentPid}/maps`)),
  network: await connected(),
}
process.stdout.write(JSON.stringify(tried))
// last: who writes beyond the limit is ended by the kernel
process.stdin.once('data', () => writeFileSync(path, 'planted'))
