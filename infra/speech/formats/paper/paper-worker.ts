import { z } from 'zod'

import { serveThread } from '../../threads/serve.ts'
import type { Page } from './page.ts'

const requestSchema = z.object({ format: z.enum(['docx', 'pdf']), page: z.custom<Page>() })

/** Each loads a library of its own, which only those wait for who want it. */
await serveThread(() =>
  Promise.resolve(async (request) => {
    const { format, page } = requestSchema.parse(request)
    if (format === 'docx') return (await import('./docx.ts')).inDocx(page)
    return (await import('./pdf.ts')).inPdf(page)
  }),
)
