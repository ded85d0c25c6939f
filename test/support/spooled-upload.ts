import type { SpooledUpload } from '../../actors/upload/ports.ts'
import type { FileFacts } from '../../actors/upload/state.ts'
import { aGatewayId } from './builders.ts'

/** An upload of one file that was safe a moment ago; its spool holds nothing. */
export function aSpooledUpload(file: FileFacts): Omit<SpooledUpload, 'isStored'> {
  const { uploadId, owner } = file
  const nothing = (): Promise<void> => Promise.resolve()
  return {
    gatewayId: aGatewayId(),
    manifest: { uploadId, owner, acceptedAtMs: 0, spoolSeconds: 0, rejected: [], fingerprint: '', files: [file] },
    phase: 'committed',
    pathOf: () => '/spooled',
    holds: () => Promise.resolve(false),
    enter: nothing,
    release: nothing,
    finish: nothing,
  }
}
