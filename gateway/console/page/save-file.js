import { ask } from './api.js'
import { announce, element } from './element.js'
import { say } from './say.js'

/** The browser reads what it is handed after the click. */
const readWithinMs = 60_000

/** A link cannot send a token, so the page fetches and hands over. The server's name for it is the better one. */
export async function save(path, fallback) {
  const response = await ask(path)
  handOver(await response.blob(), nameIn(response.headers.get('Content-Disposition') ?? '') ?? fallback)
}

/** Gives a file to whoever looks at the page. */
export function handOver(blob, name) {
  const url = URL.createObjectURL(blob)
  const link = element('a', { href: url, download: name, hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
  announce(say('download.done', { name }))
  setTimeout(() => URL.revokeObjectURL(url), readWithinMs)
}

function nameIn(disposition) {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
