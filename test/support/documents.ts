import { readdir, readFile } from 'node:fs/promises'

import { inCheckout } from './checkout.ts'

/** A page of Markdown in the checkout. */
export interface DocumentPage {
  /** From the root of the checkout. */
  readonly path: string
  readonly text: string
}

export async function readPage(path: string): Promise<DocumentPage> {
  return { path, text: await readFile(inCheckout(path), 'utf8') }
}

export async function pagesIn(folder: string): Promise<DocumentPage[]> {
  const names = (await readdir(inCheckout(folder))).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(names.map((name) => readPage(`${folder}/${name}`)))
}

const fence = /^```(\w*)\n([\s\S]*?)^```$/gm

/** Lines of commands to type. */
export function shellLinesOf({ text }: DocumentPage): string[] {
  return Array.from(text.matchAll(fence), ([, language, code = '']) =>
    language === 'sh' ? code.split('\n') : [],
  ).flat()
}

/** What stands between two single backticks. */
export function codeSpansOf({ text }: DocumentPage): string[] {
  return Array.from(text.replaceAll(fence, '').matchAll(/`([^`]+)`/g), ([, code = '']) => code.replaceAll('\n', ' '))
}

/** Where its links and pictures lead to, those to other sites left out. */
export function linksOf({ text }: DocumentPage): string[] {
  const prose = text.replaceAll(fence, '').replaceAll(/`[^`]+`/g, '')
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  )
}

/** The names by which its headings can be linked to, as GitHub makes them. */
export function anchorsOf({ text }: DocumentPage): string[] {
  const headings = text.replaceAll(fence, '').matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}
