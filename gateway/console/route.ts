import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { failure, badQuery, takesNothing } from '../wire.ts'
import { indexName, sharedName } from './assets.ts'
import type { Asset, Assets } from './assets.ts'
import type { SignInProvider } from './sign-in.ts'

/** Of the page alone: it runs its own scripts, asks this server and `others` only, and plays what it was given. Nothing is inline. */
function policyOf(...others: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...others].join(' '),
    "media-src 'self' blob:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Kept by the browser, and asked for again each time: a new version is seen at once. */
const keptAndAskedFor = 'no-cache'
/** For what stays as it is, for thirty days. */
const keptLong = 'public, max-age=2592000'

const unchanged = { description: 'The browser has it already.', schema: z.string(), contentType: 'text/plain' }

export function consoleRoutes(assets: Assets, signIn: SignInProvider | undefined): Route[] {
  return [
    pageRoute(assets, {
      path: '/',
      id: 'console',
      summary: 'The console, for people',
      description: 'A page to upload recordings, watch them, and read, play and download what was said.',
      name: indexName,
      policy: signIn ? policyOf(new URL(signIn.issuer).origin) : policyOf(),
    }),
    pageRoute(assets, {
      path: '/shared',
      id: 'sharedPage',
      summary: 'What a share link shows, for people',
      description:
        'A page to read, play and download one transcript. The link is behind `#`, and the page sends it on.',
      name: sharedName,
      policy: policyOf(),
    }),
    route({
      ...part,
      path: '/console/{name}',
      id: 'consolePart',
      summary: 'A part of the console',
      description: 'Its scripts and styles.',
      params: z.strictObject({ name: partName }),
      handle: (request) => Promise.resolve(answerOf(request, assets.get(request.params.name), policyOf())),
    }),
    route({
      ...part,
      path: '/console/{folder}/{name}',
      id: 'consolePartInFolder',
      summary: 'A part of the console that is one of several alike',
      description: 'What it says in each of its languages, and its fonts.',
      params: z.strictObject({ folder: z.string().describe('What they have in common.'), name: partName }),
      handle: ({ params, header }) =>
        Promise.resolve(answerOf({ header }, assets.get(`${params.folder}/${params.name}`), policyOf())),
    }),
  ]
}

const partName = z.string().describe('What the page refers to.')

const part = {
  method: 'get',
  access: 'public',
  query: z.strictObject({}),
  responses: {
    200: {
      description: 'The part.',
      schema: z.string(),
      contentType: 'text/javascript',
      otherwise: Object.fromEntries(
        ['text/css', 'text/html', 'image/svg+xml', 'font/woff2'].map((type) => [type, z.string()]),
      ),
    },
    304: unchanged,
    400: badQuery,
    404: { description: 'The console has no such part.', schema: failure },
  },
} as const

function pageRoute(
  assets: Assets,
  {
    name,
    policy,
    ...about
  }: Pick<Route, 'path' | 'id' | 'summary' | 'description'> & { readonly name: string; readonly policy: string },
): Route {
  return route({
    ...takesNothing,
    ...about,
    method: 'get',
    access: 'public',
    responses: {
      200: { description: 'The page.', schema: z.string(), contentType: 'text/html' },
      304: unchanged,
      400: badQuery,
    },
    handle: (request) => Promise.resolve(answerOf(request, assets.get(name), policy)),
  })
}

function answerOf({ header }: Pick<Request, 'header'>, asset: Asset | undefined, policy: string): Answer {
  if (!asset) throw terminal('not_found', 'The console has no such part.')
  // of the policy too: a browser that is told that it has the page already keeps the policy that it came with
  const etag = `"${createHash('sha256').update(asset.sha256).update(policy).digest('base64url')}"`
  const headers = {
    'Content-Type': asset.contentType,
    'Content-Security-Policy': policy,
    'Cache-Control': asset.contentType === 'font/woff2' ? keptLong : keptAndAskedFor,
    ETag: etag,
  }
  if (header('If-None-Match')?.includes(etag)) return { status: 304, body: '', headers }
  const length = { 'Content-Length': String(asset.bytes.length) }
  return { status: 200, body: Readable.from([asset.bytes]), headers: { ...headers, ...length } }
}
