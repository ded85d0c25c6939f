import { stat } from 'node:fs/promises'
import { join } from 'node:path'

import { versionOfVaak } from '../../cli/version.ts'
import { packageContents } from './contents.ts'
import { megabytes, sizesOf } from './sizes.ts'
import { writeTarball } from './tarball.ts'

/** `npm run pack`: the file that `npm install --global` takes on machines of this kind, with what it weighs. */
const checkout = process.cwd()
const name = `vaak-${await versionOfVaak()}-${process.platform}-${process.arch}.tgz`
const contents = await packageContents(checkout)
await writeTarball({ checkout, contents, file: join(checkout, name), level: 6 })
const { size } = await stat(join(checkout, name))
process.stdout.write(`${name}: ${megabytes(size)} MB\n${sizesOf(contents)}`)
