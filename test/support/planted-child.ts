import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What somebody would try who runs code in a child of ours, from its first request on: says of each whether it went through. */

const [what = '', parentPid = '', port = '', secret = ''] = process.argv.slice(2)

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

function sent(): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  return new Promise((resolve) => {
    socket.send('planted', Number(port), '127.0.0.1', (error) => resolve(error === null))
  })
}

function started(command: string, ...words: readonly string[]): boolean {
  const { pid } = spawnSync(command, words)
  return pid !== 0
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
if (what === 'spin') for (;;);
if (what === 'crash') process.abort()
const tried = {
  environment: went(() => readFileSync(`/proc/${parentPid}/environ`)),
  memory: went(() => readFileSync(`/proc/${parentPid}/maps`)),
  signal: went(() => process.kill(Number(parentPid), 0)),
  secret: went(() => readFileSync(secret)),
  users: went(() => readFileSync('/etc/passwd')),
  homes: went(() => readdirSync('/root')) || went(() => readdirSync('/home')),
  connection: await connected(),
  datagram: await sent(),
  file: went(() => writeFileSync(join(tmpdir(), 'planted'), '')),
  fileAtTheRoot: went(() => writeFileSync('/planted', '')),
  ownFile: went(() => writeFileSync(process.argv[1] ?? '', '')),
  givenFile: went(() => writeSync(3, 'planted')),
  shell: started('/bin/sh', '-c', ':'),
  program: started(process.execPath, '--version'),
}
process.stdout.write(JSON.stringify(tried))
