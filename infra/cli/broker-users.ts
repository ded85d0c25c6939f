import { brokerUsersText } from '../nats-server/users-text.ts'
import type { Command } from './command.ts'

export const brokerUsersCommand: Command = {
  name: 'broker-users',
  summary: 'Print users for a nats-server of your own, with what each part of Vaak may do.',
  help: `Usage: vaak broker-users > vaak-users.conf

Prints a part of a nats-server's configuration: the users operator, gateway, worker and realtime, of whom all but the
operator may do what that part of Vaak does and nothing else. Print it again with each new version.

  include vaak-users.conf      in the configuration of each nats-server

The server takes the passwords from its environment: NATS_OPERATOR_PASSWORD, NATS_GATEWAY_PASSWORD,
NATS_WORKER_PASSWORD and NATS_REALTIME_PASSWORD, which begin with a letter. A gateway then has NATS_USER=gateway, its NATS_PASSWORD and
NATS_INBOX_PREFIX=_INBOX_gateway, and the others likewise; vaak migrate, backup and restore are for the operator.
`,
  options: {},
  run() {
    process.stdout.write(brokerUsersText())
    return Promise.resolve()
  },
}
