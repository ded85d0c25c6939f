import { introductionSeconds } from './settings.ts'
import { brokerUsers } from './users.ts'
import type { BrokerUser } from './users.ts'

const heading = `# Who may enter the broker, and what each may do there; "vaak broker-users" prints it for this version.
# Passwords come from the environment of nats-server and are in no file of ours: letters and digits, a letter first, since
# what begins with a digit is read as a number.
`

/** What a nats-server of the operator's own includes. It reads JSON; a variable of its environment is the one thing without quotation marks. */
export function brokerUsersText(): string {
  const variableOf = (user: BrokerUser): string => `$NATS_${user.toUpperCase()}_PASSWORD`
  const text = JSON.stringify({ users: brokerUsers(variableOf), timeout: introductionSeconds }, null, 2)
  return `${heading}authorization ${text.replaceAll(/"(\$NATS_[A-Z]+_PASSWORD)"/g, '$1')}\n`
}
