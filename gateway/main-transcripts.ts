import { openEditing } from '../actors/edit/editing.ts'
import { openInquiries } from '../actors/inquiry/inquiries.ts'
import type { Blobs } from '../actors/ports.ts'
import { openVocabularies } from '../actors/vocabulary/vocabularies.ts'
import type { Config } from '../infra/config/config.ts'
import { newIds } from '../infra/ids/new-ids.ts'
import { renderLines, renderText } from '../infra/speech/formats/render.ts'
import { rewrite } from '../infra/speech/formats/rewrite.ts'
import { writing } from '../infra/speech/formats/writing.ts'
import { searchTerms } from '../infra/speech/text/search-terms.ts'
import { doubtfulChunks } from '../infra/speech/vocabulary/doubtful-chunks.ts'
import { systemClock } from '../infra/timing/clock.ts'
import type { openGatewayStores } from './main-stores.ts'

interface Kept {
  readonly records: Awaited<ReturnType<typeof openGatewayStores>>
  readonly blobs: Blobs
}

/** What is done with a transcript: read, corrected, asked about, and spelt by the words of its user. */
export function transcriptPorts(config: Config, { records, blobs }: Kept) {
  return {
    termsOf: searchTerms,
    renderer: { rewrite, render: renderText },
    lines: { render: renderLines },
    editing: openEditing({ ...records, blobs, clock: systemClock, writing }),
    inquiries: openInquiries({ ...records, blobs, clock: systemClock }, { openMax: config.inquiryUserOpen }),
    hasChatEndpoint: config.llmBaseUrl !== '',
    vocabularies: openVocabularies({ blobs, clock: systemClock, ...newIds(systemClock) }),
    doubtfulChunks,
  }
}
