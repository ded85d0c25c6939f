import { z } from 'zod'

import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'
import { route } from './route.ts'
import type { Route } from './route.ts'
import { badQuery, takesNothing } from './wire.ts'

/** The routes, plus those that describe them. */
export function withDocs(routes: readonly Route[]): Route[] {
  const html = { contentType: 'text/html', schema: z.string() }
  const all: Route[] = [
    ...routes,
    route({
      ...takesNothing,
      method: 'get',
      path: '/openapi.json',
      id: 'openapi',
      summary: 'This description, for machines',
      description: 'OpenAPI 3.1.',
      access: 'public',
      responses: {
        200: { description: 'The document.', schema: z.looseObject({ openapi: z.string() }) },
        400: badQuery,
      },
      handle: () => Promise.resolve({ status: 200, body: document() }),
    }),
    route({
      ...takesNothing,
      method: 'get',
      path: '/docs',
      id: 'docs',
      summary: 'This description, for people',
      description: 'A page that needs no internet.',
      access: 'public',
      responses: { 200: { description: 'The page.', ...html }, 400: badQuery },
      handle: () =>
        Promise.resolve({
          status: 200,
          body: docsPage(document()),
          headers: { 'Content-Type': 'text/html; charset=utf-8' },
        }),
    }),
  ]
  let made: Record<string, unknown> | undefined
  const document = (): Record<string, unknown> => (made ??= openApiDocument(all))
  return all
}
