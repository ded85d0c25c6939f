import { openApiDocument } from '../../gateway/openapi.ts'
import { routesOf } from '../../gateway/routes.ts'
import type { RoutePorts } from '../../gateway/routes.ts'
import { readConfig } from '../config/config.ts'
import { routeLimits } from '../config/route-limits.ts'
import type { ApiDocument } from './client-source.ts'

/** What the server promises when it is set up as it comes. Nothing is started: only handlers look at their ports. */
export function apiDocument(): ApiDocument {
  const routes = routesOf({} as RoutePorts, routeLimits(readConfig({}))) // as: nobody handles anything here
  return openApiDocument(routes) as unknown as ApiDocument // as: it is one, and the generator checks what it needs
}
