import type { NamedExamples } from '../route.ts'
import { sourceExample } from './source-schema.ts'

const uploaded = { batch_upload_id: '01900000-0000-7000-8000-000000000000' }

export const batchExamples: NamedExamples = {
  upload: {
    summary: 'an upload, and a part of a recording on the web',
    value: {
      ...uploaded,
      sources: [sourceExample],
      name: 'Calls of Monday',
      metadata: { ticket: 'A-17', agent: { team: 'returns' } },
    },
  },
  redacted: {
    summary: 'what is said that nobody should read',
    value: { ...uploaded, redact: ['phone', 'card'], keep_unredacted: true },
  },
  text: {
    summary: 'a text that is known, laid over its recording',
    value: { file_ids: ['01900000-0000-7000-8000-000000000001'], text: 'कल की meeting दस बजे है।\nThanks, सब को!' },
  },
  after: {
    summary: 'what a chat model writes about it',
    value: { ...uploaded, after: [{ type: 'summary' }, { type: 'question', question: 'What was promised?' }] },
  },
}
