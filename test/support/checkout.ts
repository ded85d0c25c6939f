import { dirname, join } from 'node:path'

import { bundledModels } from '../../infra/speech/models/bundled.ts'

/** What is not compiled lies in the checkout, not beside the compiled tests. */
export function inCheckout(...path: readonly string[]): string {
  return join(dirname(dirname(dirname(bundledModels()))), ...path)
}
