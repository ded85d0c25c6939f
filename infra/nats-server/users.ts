import { brokerRoles, operatorUser, permissionsOf } from '../nats/topology/roles.ts'
import type { BrokerRole } from '../nats/topology/roles.ts'

/** Of whom the broker asks a password. */
export type BrokerUser = BrokerRole | typeof operatorUser

/** As nats-server is told them. The operator comes first. */
export function brokerUsers(passwordOf: (user: BrokerUser) => string): object[] {
  const limited = brokerRoles.map((role) => ({
    user: role,
    password: passwordOf(role),
    permissions: permissionsOf(role),
  }))
  return [{ user: operatorUser, password: passwordOf(operatorUser) }, ...limited]
}
