import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { brokerUsersText } from '../nats-server/users-text.ts'

/** `npm run permissions`: writes anew who may do what on a broker that runs by itself. */
const target = fileURLToPath(new URL('../../../infra/deploy/nats/users.conf', import.meta.url))
await writeFile(target, brokerUsersText())
