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
  // its page takes a token from behind the #, as this one does; it is not left standing in the document
  const carry = () => {
    link.href = place + (token() === undefined ? '' : `#${token()}`)
    setTimeout(() => (link.href = place))
  }
  link.addEventListener('click', carry)
}
