import { read } from './api.js'
import { copyButton } from './copy-button.js'
import { announce, element, notice } from './element.js'
import { formDialog } from './form-dialog.js'
import { when } from './format.js'

const lives = [
  ['1', 'for a day'],
  ['7', 'for a week'],
  ['30', 'for 30 days'],
  ['90', 'for 90 days'],
]
const usualDays = '7'

/** Opens what there is to say about links to this transcript. */
export function shareButton(fileId) {
  return element('button', { type: 'button', onclick: () => shareDialog(fileId) }, 'Share')
}

/** Makes links that show the transcript to whoever has them, and revokes them. A link is shown once, when it is made. */
function shareDialog(fileId) {
  const path = `/transcribe/results/file/${fileId}/share_links`
  const [made, trouble] = [element('div', {}), element('div', {})]
  const list = element('ul', { class: 'rows', 'aria-label': 'Links that work' })
  const attempt = async (act) => {
    trouble.replaceChildren()
    try {
      await act()
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
    }
  }
  const refresh = async () => {
    const { links } = await read(path)
    list.replaceChildren(...links.map((link) => linkRow(link, () => void attempt(() => revoke(link)))))
  }
  const revoke = async ({ link_id: linkId }) => {
    await read(`${path}/${linkId}`, { method: 'DELETE' })
    if (made.dataset.linkId === linkId) made.replaceChildren()
    announce('The link is revoked.')
    await refresh()
    dialogOf(list)?.querySelector('select')?.focus()
  }
  const make = async (wish) => {
    const link = await read(path, { method: 'POST', json: wish })
    made.dataset.linkId = link.link_id
    made.replaceChildren(...newLink(location.origin + link.path))
    announce('The link is made. It is shown once.')
    made.querySelector('input').select()
    await refresh()
  }
  formDialog({
    title: 'Share',
    fields: [
      element(
        'p',
        { class: 'quiet' },
        'Whoever has the link can read, search and download this transcript, without your notes, and nothing else of yours.',
      ),
      ...linkFields((wish) => void attempt(() => make(wish))),
      made,
      trouble,
      list,
    ],
  })
  void attempt(refresh)
}

function dialogOf(node) {
  return node.closest('dialog')
}

function linkFields(onMake) {
  const days = element(
    'select',
    { id: 'share-days' },
    ...lives.map(([value, text]) => element('option', { value, selected: value === usualDays }, text)),
  )
  const audio = element('input', { type: 'checkbox' })
  const wish = () => ({ days: Number(days.value), audio: audio.checked })
  return [
    element('label', { for: 'share-days' }, 'How long it works'),
    days,
    element('label', { class: 'check' }, audio, ' the recording may be heard, too'),
    element('button', { type: 'button', class: 'strong', onclick: () => onMake(wish()) }, 'Make a link'),
  ]
}

function newLink(address) {
  const field = element('input', { id: 'share-link', type: 'text', readonly: true, value: address })
  return [
    element('label', { for: 'share-link' }, 'Copy it now: only a hash of it is kept, and it is not shown again.'),
    element(
      'div',
      { class: 'field' },
      field,
      copyButton(() => address, 'link'),
    ),
  ]
}

function linkRow({ created_at: createdAt, expires_at: expiresAt, audio }, onRevoke) {
  const life = `Made ${when(new Date(createdAt))}, until ${when(new Date(expiresAt))}`
  return element(
    'li',
    { class: 'share-row' },
    element('span', {}, audio ? `${life}, with sound` : life),
    element('button', { type: 'button', class: 'plain', onclick: onRevoke }, 'Revoke'),
  )
}
