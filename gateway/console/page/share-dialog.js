import { read } from './api.js'
import { attempts } from './attempts.js'
import { copyButton } from './copy-button.js'
import { announce, element } from './element.js'
import { formDialog } from './form-dialog.js'
import { when } from './format.js'
import { say } from './say.js'

const lives = [1, 7, 30, 90]
const usualDays = 7

/** Opens what there is to say about links to this transcript. */
export function shareButton(fileId) {
  return element('button', { type: 'button', onclick: () => shareDialog(fileId) }, say('share.share'))
}

/** Makes links that show the transcript to whoever has them, and revokes them. A link is shown once, when it is made. */
function shareDialog(fileId) {
  const path = `/transcribe/results/file/${fileId}/share_links`
  const made = element('div', {})
  const { trouble, attempt } = attempts()
  const list = element('ul', { class: 'rows', 'aria-label': say('share.links') })
  const refresh = async () => {
    const { links } = await read(path)
    list.replaceChildren(...links.map((link) => linkRow(link, () => void attempt(() => revoke(link)))))
  }
  const revoke = async ({ link_id: linkId }) => {
    await read(`${path}/${linkId}`, { method: 'DELETE' })
    if (made.dataset.linkId === linkId) made.replaceChildren()
    announce(say('share.revoked'))
    await refresh()
    dialogOf(list)?.querySelector('select')?.focus()
  }
  const make = async (wish) => {
    const link = await read(path, { method: 'POST', json: wish })
    made.dataset.linkId = link.link_id
    made.replaceChildren(...newLink(location.origin + link.path))
    announce(say('share.made'))
    made.querySelector('input').select()
    await refresh()
  }
  formDialog({
    title: say('share.share'),
    fields: [
      element('p', { class: 'quiet' }, say('share.about')),
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
    ...lives.map((value) =>
      element('option', { value, selected: value === usualDays }, say('life.days', { count: value })),
    ),
  )
  const audio = element('input', { type: 'checkbox' })
  const wish = () => ({ days: Number(days.value), audio: audio.checked })
  return [
    element('label', { for: 'share-days' }, say('life.label')),
    days,
    element('label', { class: 'check' }, audio, ` ${say('share.audio')}`),
    element('button', { type: 'button', class: 'strong', onclick: () => onMake(wish()) }, say('share.make')),
  ]
}

function newLink(address) {
  const field = element('input', { id: 'share-link', type: 'text', readonly: true, value: address })
  return [
    element('label', { for: 'share-link' }, say('copy.now')),
    element(
      'div',
      { class: 'field' },
      field,
      copyButton(() => address, say('copy.linkCopied')),
    ),
  ]
}

function linkRow({ created_at: createdAt, expires_at: expiresAt, audio }, onRevoke) {
  const life = { since: when(new Date(createdAt)), until: when(new Date(expiresAt)) }
  return element(
    'li',
    { class: 'share-row' },
    element('span', {}, say(audio ? 'share.lifeWithSound' : 'share.life', life)),
    element('button', { type: 'button', class: 'plain', onclick: onRevoke }, say('access.revoke')),
  )
}
