import { interfaceLanguage } from './interface-language.js'
import { token } from './session.js'

/** Realtime is a server of its own, and a tab here only while it answers. */
export async function linkRealtime() {
  const response = await fetch('/console/realtime').catch(() => undefined)
  if (!response?.ok) return
  const { port, secure, answers } = await response.json()
  if (!answers) return
  const place = `${secure ? 'https' : 'http'}://${location.hostname}:${Number(port)}/`
  const link = document.querySelector('[data-tab="realtime"]')
  link.href = place
  link.hidden = false
  // its page speaks as this one does, leads back here, and takes a token from behind the #, which is not left standing in the document
  const carry = () => {
    const address = new URL(`?language=${interfaceLanguage()}`, place)
    address.searchParams.set('console', location.origin)
    if (token() !== undefined) address.hash = token()
    link.href = address.href
    setTimeout(() => (link.href = place))
  }
  link.addEventListener('click', carry)
}
