import test from 'ava'

import { loadOptional } from '../../infra/process/optional-package.ts'

const dancing = { part: 'Dancing', packageName: '@vaak-test/dance', version: '7' }

test('a part whose package is missing says which one to install', async (t) => {
  const name: string = dancing.packageName
  await t.throwsAsync(
    loadOptional(() => import(name), dancing),
    {
      message:
        'Dancing needs a package that is not installed. Install it beside Vaak: npm install --global @vaak-test/dance@7',
    },
  )
})

test('another failure of it is passed on as it is', async (t) => {
  const other: string = '@vaak-test/music'
  await t.throwsAsync(
    loadOptional(() => import(other), dancing),
    { code: 'ERR_MODULE_NOT_FOUND' },
  )
  const broken = new Error('broken')
  const error = await t.throwsAsync(loadOptional(() => Promise.reject(broken), dancing))
  t.is(error, broken)
})
