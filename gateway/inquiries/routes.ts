import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Inquiries, InquiryRequest } from '../../actors/inquiry/ports.ts'
import type { Inquiry, InquiryAnswer } from '../../actors/inquiry/state.ts'
import { hasWords } from '../../actors/run/state.ts'
import { refuseCallback } from '../batches/callback-fields.ts'
import { findFile } from '../batches/find-file.ts'
import type { FindPorts } from '../batches/find-file.ts'
import { filePath, notFoundBody } from '../batches/schemas.ts'
import type { UrlCheck } from '../batches/sources.ts'
import { notFound } from '../problem.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badBody, badQuery, badToken, dependencyAway, failure, takesNothing } from '../wire.ts'
import { noChatEndpoint } from './no-chat-endpoint.ts'
import {
  deletedInquiry,
  inquiry,
  inquiryList,
  inquiryOffer,
  inquiryPath,
  inquiryRequest,
  inquiryRequests,
} from './schemas.ts'

export interface InquiryRoutePorts extends FindPorts {
  readonly inquiries: Inquiries
  /** Whether anybody can write about transcripts. */
  readonly hasChatEndpoint: boolean
  /** Why nobody is called at an address, in a sentence. */
  readonly checkUrl: UrlCheck
}

const path = '/transcribe/results/file/{file_id}/inquiries'
const noSuchFile = { description: 'No file of yours with this id was ever submitted.', schema: notFoundBody }
const problems = { 401: badToken, 503: dependencyAway }

export function inquiryRoutes(ports: InquiryRoutePorts): Route[] {
  return [offerRoute(ports), askRoute(ports), listRoute(ports), deleteRoute(ports)]
}

function offerRoute(ports: InquiryRoutePorts): Route {
  return route({
    ...takesNothing,
    method: 'get',
    path: '/transcribe/inquiries',
    id: 'getInquiryOffer',
    summary: 'See whether anybody can write about transcripts',
    description:
      'Whether a chat endpoint is configured here, so that summaries, chapters, translations and answers can be asked for, of a file or with a submission (`after`).',
    access: 'user',
    responses: { 200: { description: 'As it is set up.', schema: inquiryOffer }, 400: badQuery, 401: badToken },
    handle: () => Promise.resolve({ status: 200, body: { available: ports.hasChatEndpoint } }),
  })
}

function askRoute(ports: InquiryRoutePorts): Route {
  return route({
    method: 'post',
    path,
    id: 'askInquiry',
    summary: 'Ask for a summary, chapters, a translation or an answer',
    description:
      'A chat model that the operator chose (`LLM_BASE_URL`) reads the newest transcription of the file, as you edited it and without what was redacted, and writes a summary, chapters, a translation into English, or the answer to a question. It is done in its turn: look for it in the list. The same asked again is the same one, unless it failed or you say `again`.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    body: {
      contentType: 'application/json',
      schema: inquiryRequest,
      examples: inquiryRequests,
      description: 'What is wanted.',
    },
    responses: {
      200: { description: 'It is there already.', schema: inquiry },
      202: { description: 'It will be written, whatever dies meanwhile.', schema: inquiry },
      400: { description: 'The body is not of this form.', schema: failure },
      404: noSuchFile,
      409: {
        description:
          'No chat endpoint is configured, there is no transcript yet, or the file has as many questions as it may have.',
        schema: failure,
      },
      ...badBody,
      ...problems,
    },
    async handle({ principal: { owner }, params, body }) {
      const file = await findFile(ports, owner, params.file_id)
      if (!file) return notFound('file')
      if (!ports.hasChatEndpoint) throw noChatEndpoint()
      if (!file.run || !hasWords(file.run))
        throw terminal('conflict', 'There is no transcript of this file that could be read.')
      refuseCallback(ports.checkUrl, body)
      const asked = await ports.inquiries.ask(file.run, requestOf(body))
      if (!asked) return notFound('file')
      return { status: asked.outcome ? 200 : 202, body: present(asked) }
    },
  })
}

function requestOf(body: z.output<typeof inquiryRequest>): InquiryRequest {
  const { type: kind, question, again = false, callback_url: url, callback_headers: headers } = body
  return {
    kind,
    again,
    ...(question !== undefined && { question }),
    ...(url !== undefined && { callback: { url, ...(headers && { headers }) } }),
  }
}

function listRoute(ports: InquiryRoutePorts): Route {
  return route({
    method: 'get',
    path,
    id: 'listInquiries',
    summary: 'List summary, chapters and answers of a file',
    description: 'What was asked about the newest transcription of the file, with what came of it.',
    access: 'user',
    params: filePath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'All of them.', schema: inquiryList },
      400: badQuery,
      404: noSuchFile,
      ...problems,
    },
    async handle({ principal: { owner }, params: { file_id: fileId } }) {
      const file = await findFile(ports, owner, fileId)
      if (!file) return notFound('file')
      const found = hasWords(file.run) ? await ports.inquiries.listOf(file.run) : []
      return { status: 200, body: { available: ports.hasChatEndpoint, inquiries: found.map(present) } }
    },
  })
}

function deleteRoute(ports: InquiryRoutePorts): Route {
  return route({
    method: 'delete',
    path: `${path}/{inquiry_id}`,
    id: 'deleteInquiry',
    summary: 'Delete a summary, chapters or an answer',
    description: 'Also one that is waited for: nothing comes of it then.',
    access: 'user',
    params: inquiryPath,
    query: z.strictObject({}),
    responses: {
      200: { description: 'It is gone.', schema: deletedInquiry },
      400: badQuery,
      404: { description: 'No file of yours has such an inquiry.', schema: notFoundBody },
      ...problems,
    },
    async handle({ principal: { owner }, params: { file_id: fileId, inquiry_id: inquiryId } }) {
      const file = await findFile(ports, owner, fileId)
      if (!file?.run || !(await ports.inquiries.remove(file.run, inquiryId))) return notFound('inquiry')
      return { status: 200, body: { inquiry_id: inquiryId } }
    },
  })
}

function present({ inquiryId, kind, question, askedAtMs, outcome }: Inquiry): z.input<typeof inquiry> {
  return {
    inquiry_id: inquiryId,
    type: kind,
    ...(question !== undefined && { question }),
    status: outcome?.status ?? 'waiting',
    asked_at: new Date(askedAtMs).toISOString(),
    ...(outcome && { finished_at: new Date(outcome.atMs).toISOString() }),
    ...(outcome?.status === 'failed' && { error: outcome.message }),
    ...(outcome?.status === 'completed' && {
      model: outcome.model,
      version: outcome.version,
      ...presentAnswer(outcome.answer),
    }),
  }
}

function presentAnswer(answer: InquiryAnswer): Partial<z.input<typeof inquiry>> {
  if (answer.kind === 'summary') return { summary: answer.text }
  if (answer.kind === 'chapters') return { chapters: [...answer.chapters] }
  if (answer.kind === 'translation') return { translation: [...answer.lines] }
  return { answered: answer.isAnswered, answer: answer.text, sources: [...answer.sources] }
}
