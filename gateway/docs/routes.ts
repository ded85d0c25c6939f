import { z } from 'zod'

import { openApiDocument } from '../openapi.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, takesNothing } from '../wire.ts'
import { askedAddress } from './asked-address.ts'
import type { DocumentedApi } from './document.ts'
import { madeOnce } from './made-once.ts'
import { docsPage, docsPolicy } from './page.ts'
import { postmanCollection } from './postman.ts'

const json = { 'Content-Type': 'application/json; charset=utf-8' }

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
      handle: () => Promise.resolve({ status: 200, body: forMachines(''), headers: json }),
    }),
    route({
      ...takesNothing,
      method: 'get',
      path: '/docs',
      id: 'docs',
      summary: 'This description, for people',
      description: 'A page that needs no internet, with examples in curl, Node and Python.',
      access: 'public',
      responses: { 200: { description: 'The page.', ...html }, 400: badQuery },
      handle: ({ raw }) =>
        Promise.resolve({
          status: 200,
          body: forPeople(askedAddress(raw.request)),
          headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': docsPolicy },
        }),
    }),
    route({
      ...takesNothing,
      method: 'get',
      path: '/docs/postman.json',
      id: 'postman',
      summary: 'This description, for Postman and Bruno',
      description: 'A collection (v2.1) to import: every request with its parameters and an example of its body.',
      access: 'public',
      responses: {
        200: { description: 'The collection.', schema: z.looseObject({ info: z.looseObject({}) }) },
        400: badQuery,
      },
      handle: ({ raw }) => Promise.resolve({ status: 200, body: forPostman(askedAddress(raw.request)), headers: json }),
    }),
  ]
  let made: DocumentedApi | undefined
  const described = (): DocumentedApi => (made ??= openApiDocument(all) as unknown as DocumentedApi) // as: openapi.ts made it
  const forMachines = madeOnce(() => JSON.stringify(described()))
  const forPeople = madeOnce((address) => docsPage(described(), address))
  const forPostman = madeOnce((address) => JSON.stringify(postmanCollection(described(), address)))
  return all
}
