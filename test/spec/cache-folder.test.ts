import test from 'ava'

import { cacheFolder } from '../../infra/config/cache-folder.ts'

const home = '/home/anna'

test('the cache is where VAAK_CACHE says, else under XDG_CACHE_HOME, else under the home folder', (t) => {
  t.is(cacheFolder({ configured: '/big', xdgCacheHome: '/xdg', home }), '/big')
  t.is(cacheFolder({ configured: undefined, xdgCacheHome: '/xdg', home }), '/xdg/vaak')
  t.is(cacheFolder({ configured: '', xdgCacheHome: undefined, home }), '/home/anna/.cache/vaak')
})

test('a relative XDG_CACHE_HOME is ignored, as its specification demands', (t) => {
  t.is(cacheFolder({ configured: undefined, xdgCacheHome: 'here', home }), '/home/anna/.cache/vaak')
})
