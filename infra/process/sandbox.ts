import { spawnSync } from 'node:child_process'

import type { Log } from '../../actors/ports.ts'

/**
 * Namespaces of its own for a child that reads what strangers sent: no network, and nothing of its parent's, since the kernel lets no
 * process look into one of another user namespace, whoever it runs as. It stays the same process, so that signals reach it.
 */
const walls = ['unshare', '--user', '--map-current-user', '--net', '--ipc', '--', 'setpriv', '--no-new-privs', '--']

let known: boolean | undefined

/** What a child is started through; nothing where the kernel, or who runs us, does not allow it. Asked once: it does not change. */
export function sandboxWords(): readonly string[] {
  known ??= spawnSync('/bin/sh', ['-c', 'exec "$@"', 'sandbox', ...walls, 'true'], { env: {} }).status === 0
  return known ? walls : []
}

/** Says at the start what holds. */
export function checkSandbox(wanted: 'auto' | 'required', log: Log): void {
  if (sandboxWords().length > 0) return
  if (wanted === 'required')
    throw new Error(
      'SANDBOX is required, and this machine allows no user and network namespaces (unshare): allow them, or set SANDBOX to auto.',
    )
  log.warn('files of users are decoded without a sandbox: this machine allows no user and network namespaces')
}
