import { setTimeout as pause } from 'node:timers/promises'

import type { Inquiry, InquiryRequest } from '../client/api.ts'
import type { Client } from '../client/client.ts'
import { printable } from '../telemetry/printable.ts'
import { aboutServer, connectToServer } from './client/connect.ts'
import { timeText } from '../speech/transcript/time-text.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const lookMs = 1_000

export const askCommand: Command = {
  name: 'ask',
  summary: 'Ask about a recording, or for its summary, chapters or translation.',
  examples: `  vaak ask FILE_ID "When will the parcel come?"
  vaak ask FILE_ID --summary
`,
  help: `Usage: vaak ask FILE_ID QUESTION…
       vaak ask FILE_ID --summary
       vaak ask FILE_ID --chapters
       vaak ask FILE_ID --translation

Prints what a chat model writes from the transcript of a file, where the server
has one, and waits until it is there. What was asked before is not asked again.
Ends with 1 when it failed, or when the transcript does not say.
${aboutServer}
  --summary      what was said, in a few sentences
  --chapters     where the subject changes: a time and a title on each line
  --translation  all of it in English: a time and a sentence on each line
  --again        also where there is one: the transcript was edited since
  --json         print what the server says
`,
  options: {
    summary: { type: 'boolean' },
    chapters: { type: 'boolean' },
    translation: { type: 'boolean' },
    again: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  operands: true,
  async run({ config, options, operands }) {
    const [fileId, ...words] = operands
    if (fileId === undefined) throw new UsageError('Which file? Try: vaak ask FILE_ID QUESTION…')
    const body = { ...requestIn(options, words.join(' ')), ...(options['again'] === true && { again: true }) }
    const server = connectToServer(config)
    const inquiry = await written(server, fileId, body)
    process.stdout.write(options['json'] === true ? `${JSON.stringify(inquiry)}\n` : textOf(inquiry))
    if (inquiry.status === 'failed') process.stderr.write(`${printable(inquiry.error ?? '')}\n`)
    if (inquiry.answered === false) process.stderr.write('The recording does not say.\n')
    if (inquiry.status === 'failed' || inquiry.answered === false) process.exitCode = 1
  },
}

function requestIn(options: Readonly<Record<string, unknown>>, question: string): InquiryRequest {
  const asked: InquiryRequest[] = [
    ...(options['summary'] === true ? [{ type: 'summary' } as const] : []),
    ...(options['chapters'] === true ? [{ type: 'chapters' } as const] : []),
    ...(options['translation'] === true ? [{ type: 'translation' } as const] : []),
    ...(question === '' ? [] : [{ type: 'question', question } as const]),
  ]
  const [one] = asked
  if (!one || asked.length > 1)
    throw new UsageError('Ask one thing: vaak ask FILE_ID QUESTION…, or with --summary, --chapters or --translation.')
  return one
}

async function written(server: Client, fileId: string, body: InquiryRequest): Promise<Inquiry> {
  const params = { file_id: fileId }
  let inquiry: Inquiry | undefined = await server.call('askInquiry', { params, body })
  const { inquiry_id: id } = inquiry
  while (inquiry.status === 'waiting') {
    await pause(lookMs)
    const { inquiries }: { inquiries: readonly Inquiry[] } = await server.call('listInquiries', { params })
    inquiry = inquiries.find((one) => one.inquiry_id === id)
    if (!inquiry) throw new Error('Somebody deleted it meanwhile.')
  }
  return inquiry
}

function textOf({ summary, chapters, translation, answer }: Inquiry): string {
  const timed = chapters?.map(({ start, title: text }) => ({ start, text })) ?? translation
  const lines = timed?.map(({ start, text }) => `${timeText(start)} ${text}`) ?? [summary ?? answer ?? '']
  return lines
    .filter((line) => line !== '')
    .map((line) => `${printable(line)}\n`)
    .join('')
}
