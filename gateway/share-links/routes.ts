import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { hasWords } from '../../actors/run/state.ts'
import type { ShareLinks } from '../../actors/share-link/ports.ts'
import type { ShareLink } from '../../actors/share-link/state.ts'
import { findFile } from '../batches/find-file.ts'
import type { FindPorts } from '../batches/find-file.ts'
import { filePath, notFoundBody } from '../batches/schemas.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure } from '../wire.ts'
import { linkPath, newShareLink, revokedShareLink, shareLinkList, shareLinkRequest } from './schemas.ts'

export interface ShareLinkRoutePorts extends FindPorts {
  readonly shareLinks: ShareLinks
}

const path = '/transcribe/results/file/{file_id}/share_links'
const noSuchFile = { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody }
const problems = { 401: badToken, 503: dependencyAway }

/** For the user whose transcript it is. */
export function shareLinkRoutes(ports: ShareLinkRoutePorts): Route[] {
  return [makeRoute(ports), listRoute(ports), revokeRoute(ports)]
}

function makeRoute(ports: ShareLinkRoutePorts): Route {
  return route({
    method: 'post',
    path,
    id: 'makeShareLink',
    summary: 'Share the transcript of a file',
    description:
      'Makes a link that shows the newest transcription of the file, as you edit it, to whoever has it: to read, to search and to download, and to hear if you say so. It shows nothing else of yours, not your notes either, and ends by itself, when you revoke it, or with the transcription.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    body: { contentType: 'application/json', schema: shareLinkRequest, description: 'All may be left out.' },
    responses: {
      201: {
        description: 'The link. Whoever has it can read: send it as you would send the text.',
        schema: newShareLink,
      },
      400: { description: 'The body is not of this form.', schema: failure },
      404: noSuchFile,
      408: { description: 'The body arrived too slowly.', schema: failure },
      409: { description: 'There is no transcript yet, or the file has too many links.', schema: failure },
      413: { description: 'The body is too large.', schema: failure },
      415: { description: 'The body is not JSON.', schema: failure },
      ...problems,
    },
    async handle({ principal: { owner }, params, body: { days, audio: withAudio } }) {
      const file = await findFile(ports, owner, params.file_id)
      if (!file) return notFound('file')
      if (!file.run || !hasWords(file.run))
        throw terminal('conflict', 'There is no transcript of this file that could be shared.')
      const made = await ports.shareLinks.make(file.run, { days, withAudio })
      if (!made) return notFound('file')
      const { text: link } = made
      const headers = { 'Cache-Control': 'no-store' }
      return { status: 201, body: { ...present(made), link, path: `/shared#${link}` }, headers }
    },
  })
}

function listRoute(ports: ShareLinkRoutePorts): Route {
  return route({
    method: 'get',
    path,
    id: 'listShareLinks',
    summary: 'List the share links of a file',
    description: 'Those that still work, the oldest first, without their secrets.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'To all transcriptions of this file.', schema: shareLinkList },
      400: badQuery,
      404: noSuchFile,
      ...problems,
    },
    async handle({ principal: { owner }, params: { file_id: fileId } }) {
      if (!(await findFile(ports, owner, fileId))) return notFound('file')
      return { status: 200, body: { links: (await ports.shareLinks.listOf({ owner, fileId })).map(present) } }
    },
  })
}

function revokeRoute(ports: ShareLinkRoutePorts): Route {
  return route({
    method: 'delete',
    path: `${path}/{link_id}`,
    id: 'revokeShareLink',
    summary: 'Revoke a share link',
    description:
      'It opens nothing any more, at once. Who is being sent something at this moment is sent the rest of it.',
    access: 'user',
    params: linkPath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'It is revoked.', schema: revokedShareLink },
      400: badQuery,
      404: { description: 'No file of yours has such a link.', schema: notFoundBody },
      ...problems,
    },
    async handle({ principal: { owner }, params: { file_id: fileId, link_id: linkId } }) {
      if (!(await ports.shareLinks.revoke({ owner, fileId }, linkId))) return notFound('share link')
      return { status: 200, body: { link_id: linkId } }
    },
  })
}

function present({ linkId, createdAtMs, untilMs, withAudio }: ShareLink) {
  return {
    link_id: linkId,
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(untilMs).toISOString(),
    audio: withAudio,
  }
}
