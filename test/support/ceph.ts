import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startCeph } from '../../infra/dev/ceph/start.ts'
import type { CephGateway } from '../../infra/dev/ceph/start.ts'
import { explainSkip } from './test-where.ts'

/** A Ceph of this test file's own, or undefined where none can run, which is said aloud and fails in CI. */
export async function cephOrSkip(what: string): Promise<CephGateway | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-ceph-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const ceph = await startCeph(folder)
    return { ...ceph, stop: () => ceph.stop().then(clean) }
  } catch (error) {
    await clean()
    explainSkip(what, error)
    return undefined
  }
}
