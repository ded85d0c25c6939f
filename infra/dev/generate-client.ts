import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { apiDocument } from './api-document.ts'
import { clientSource } from './client-source.ts'

/** `npm run client`: writes the types of the client anew. */
const target = fileURLToPath(new URL('../../../infra/client/api.ts', import.meta.url))
await writeFile(target, clientSource(apiDocument()))
