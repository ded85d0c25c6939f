import { writeFile } from 'node:fs/promises'

import { openStaging } from '../../infra/blobs/staging.ts'

/** Run with `fork`: writes half an object into the folder it is given, says so, and never comes to finish it. */
const [folder = ''] = process.argv.slice(2)
const staging = await openStaging(folder, Date.now())
await writeFile(staging.nextPath(), 'half')
process.send?.('written')
process.once('disconnect', () => process.exit())
