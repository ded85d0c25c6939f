import { openDiskBlobs } from '../../infra/blobs/disk.ts'
import { openScripted } from '../../infra/speech/scripted/open-scripted.ts'
import { silentLog } from './silent-log.ts'
import { anOrder } from './speech-orders.ts'

/** Run with `fork`: plans the recording in the store that it is given, in the work folder that it is given. */
const [store = '', workFolder = ''] = process.argv.slice(2)
const work = await openScripted({
  blobs: await openDiskBlobs({ folder: store, log: silentLog }),
  log: silentLog,
  workFolder,
  fetchRemote: () => Promise.reject(new Error('nothing is remote here')),
  batch: { size: 1, ageMs: 0 },
})
await work.planner.plan(anOrder(), new AbortController().signal)
await work.close()
