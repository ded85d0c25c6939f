import { createHash } from 'node:crypto'

import type { ResultDigests } from '../../actors/receipt/state.ts'
import { canonicalJson } from './canonical-json.ts'

/** Fields that say more on request, and are no part of what is vouched for. */
const onRequest = 'speech_information'

/** Field by field and segment by segment, so that whoever compares can say where a difference is. */
export function resultDigests({ segments, ...fields }: { readonly segments: readonly object[] }): ResultDigests {
  return {
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, digestOfValue(value)]),
    ),
    segments: segments.map((segment) => digestOfValue({ ...segment, [onRequest]: undefined })),
  }
}

function digestOfValue(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
