import { once } from 'node:events'

import { lockFolder } from '../../infra/process/folder-lock.ts'

/** A process that tries to lock a folder when it is told to, says how that went, and lives on while its input is open. */
const [folder = ''] = process.argv.slice(2)
process.stdout.write('waiting\n')
await once(process.stdin, 'data')
const outcome = await lockFolder(folder, 'contender').then(
  () => 'locked',
  (error: unknown) => String(error),
)
process.stdout.write(`${outcome}\n`)
