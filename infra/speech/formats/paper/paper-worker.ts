import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import { inDocx } from './docx.ts'
import type { Page } from './page.ts'
import { inPdf } from './pdf.ts'

const requestSchema = z.object({ format: z.enum(['docx', 'pdf']), page: z.custom<Page>() })

await serveThread(() =>
  Promise.resolve((request) => {
    const { format, page } = requestSchema.parse(request)
    return format === 'docx' ? inDocx(page) : inPdf(page)
  }),
)
