import { appendFile, cp, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { checkSocketPackage } from '../../infra/web/socket-package.ts'
import { aFolder } from '../support/folder.ts'

const installed = dirname(fileURLToPath(import.meta.resolve('uWebSockets.js')))
const ofThisMachine = new RegExp(
  `^(?:uws\\.js|ESM_wrapper\\.mjs|uws_${process.platform}_${process.arch}_${process.versions.modules}\\.node)$`,
)

test('the package that is installed is the one that we know', async (t) => {
  await t.notThrowsAsync(checkSocketPackage())
})

test('a file of it that somebody changed is refused by its name', async (t) => {
  const files = (await readdir(installed)).filter((name) => ofThisMachine.test(name))
  t.is(files.length, 3)
  for (const changed of files) {
    const folder = await aFolder(t)
    for (const name of files) await cp(join(installed, name), join(folder, name))
    await checkSocketPackage(folder)
    await appendFile(join(folder, changed), ' ')
    await t.throwsAsync(checkSocketPackage(folder), { message: new RegExp(`${changed} is not the file`) })
  }
})
