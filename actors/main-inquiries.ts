import type { Config } from '../infra/config/config.ts'
import { fetchUnlessAway } from '../infra/llm/away-fetch.ts'
import { chatModel } from '../infra/llm/chat-completions.ts'
import { inquiryModel } from '../infra/llm/inquiry-model.ts'
import { readPrompts } from '../infra/llm/prompts.ts'
import { writing } from '../infra/speech/formats/writing.ts'
import { openEditing } from './edit/editing.ts'
import { inquiryWorker } from './inquiry/work.ts'
import type { InquiryWorker } from './inquiry/work.ts'
import { workerOptions } from './main-options.ts'
import type { Blobs, Clock, Log } from './ports.ts'
import type { WorkerPorts } from './worker/actor.ts'

type InquiryParts = Pick<WorkerPorts, 'batches' | 'caller' | 'runs' | 'openInquiries' | 'inquiryQueue'> & {
  readonly blobs: Blobs
  readonly clock: Clock
  readonly log: Log
}

/** Who writes about transcripts; nobody without a chat endpoint. */
export async function openInquiryWorker(config: Config, parts: InquiryParts): Promise<InquiryWorker | undefined> {
  if (config.llmBaseUrl === '') return undefined
  const silenceMs = config.inquirySilenceSeconds * 1000
  const model = chatModel({
    baseUrl: config.llmBaseUrl,
    model: config.llmModel,
    apiKey: config.llmApiKey,
    beginWithinMs: silenceMs,
    timeoutMs: silenceMs,
    retries: config.llmRetries,
    log: parts.log,
    fetch: fetchUnlessAway,
  })
  const answers = inquiryModel({
    name: config.llmModel,
    model,
    prompts: await readPrompts(),
    partCharacters: config.inquiryPartCharacters,
    mostCharacters: config.inquiryMaxCharacters,
  })
  const editing = openEditing({ ...parts, writing })
  const retry = { retriesMax: config.inquiryMaxRetries, intervalsMs: config.inquiryRetryIntervals }
  const { webhookRetry: callRetry } = workerOptions(config)
  return inquiryWorker({ ...parts, editing, model: answers }, { retry, callRetry })
}
