import { Readable } from 'node:stream'

import { z } from 'zod'

import type { Owner } from '../../actors/ids.ts'
import type { PaperMaker } from '../../actors/transcript/ports.ts'
import type { PaperFormat } from '../../actors/transcript/state.ts'
import { attachment } from '../attachment.ts'
import { openPlaces } from '../places.ts'
import type { PlaceShares } from '../places.ts'
import type { Answer } from '../route.ts'
import type { FileResultBody } from './present.ts'
import { fileNameAs, nothingToRead } from './texts.ts'

const paperTypes: Readonly<Record<PaperFormat, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
}

export const paperDocs: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.values(paperTypes).map((type) => [type, z.string()]),
)

/** They are made one after the other. */
const papers: PlaceShares = { perUser: 2, all: 8 }

export function isPaperFormat(format: string): format is PaperFormat {
  return Object.hasOwn(paperTypes, format)
}

/** A transcript as a file that people print, or go on with in their own program. */
export function openPapers(maker: PaperMaker) {
  const places = openPlaces(papers, { what: 'documents', advice: 'try again shortly' })
  return async (
    owner: Owner,
    file: FileResultBody,
    { format, speakers }: { readonly format: PaperFormat; readonly speakers: boolean },
  ): Promise<Answer> => {
    const { result, edits, filename } = file
    if (!result) throw nothingToRead(file)
    const leave = places.take(owner)
    try {
      const bytes = await maker.make({ format, title: filename, result, notes: edits?.notes ?? [], speakers })
      const headers = {
        'Content-Type': paperTypes[format],
        'Content-Length': String(bytes.length),
        'Content-Disposition': attachment(fileNameAs(filename, format)),
      }
      return { status: 200, body: Readable.from([bytes]), headers }
    } finally {
      leave()
    }
  }
}
