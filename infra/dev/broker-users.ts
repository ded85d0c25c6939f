import { introductionSeconds } from '../nats-server/settings.ts'
import { brokerRoles, operatorUser, permissionsOf } from '../nats/topology/roles.ts'

const heading = `# Generated from the code by \`npm run permissions\`: edit infra/nats/topology/roles.ts, not this file.
# Who may enter the broker, and what each may do there. Passwords come from the environment of nats-server and are in no file
# of ours: letters and digits, a letter first, since what begins with a digit is read as a number.
`

/** What a nats-server of the operator's own includes: the users that roles connect as, with passwords by reference. */
export function brokerUsersText(): string {
  const users = [
    { user: operatorUser, password: reference(operatorUser) },
    ...brokerRoles.map((role) => ({ user: role, password: reference(role), permissions: permissionsOf(role) })),
  ]
  const text = JSON.stringify({ users, timeout: introductionSeconds }, null, 2)
  // without quotation marks it is a variable
  return `${heading}authorization ${text.replaceAll(/"(\$NATS_[A-Z]+_PASSWORD)"/g, '$1')}\n`
}

function reference(user: string): string {
  return `$NATS_${user.toUpperCase()}_PASSWORD`
}
