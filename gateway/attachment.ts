import contentDisposition from 'content-disposition'

/** The plain form, for clients that know no other, has nothing in it that one of them could misread. */
export function attachment(filename: string): string {
  return contentDisposition(filename, { fallback: filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_') })
}
