import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { settingsDocument } from '../config/settings-document.ts'

/** `npm run settings`: writes the reference of all variables anew. */
const target = fileURLToPath(new URL('../../../infra/docs/settings.md', import.meta.url))
await writeFile(target, settingsDocument())
