import { ask } from './api.js'
import { announce, element } from './element.js'
import { say } from './say.js'
import { handOver, save } from './save-file.js'

/**
 * Downloads the texts of recordings: of one as it is, of several in one file, each under its name.
 * @param {() => { fileId: string, filename: string }[]} chosen
 */
export function downloadChosen(chosen) {
  const button = element(
    'button',
    { type: 'button', class: 'plain', 'aria-label': say('list.downloadChosen') },
    say('list.download'),
  )
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      await download(chosen())
    } catch (error) {
      announce(error.message)
      button.title = error.message
    }
    button.disabled = false
  })
  return button
}

async function download(files) {
  const [only] = files
  if (files.length === 1) return save(textPath(only.fileId), `${only.filename}.txt`)
  const texts = []
  for (const { fileId, filename } of files) texts.push(`==> ${filename} <==\n${await textOf(fileId)}`)
  handOver(new Blob([texts.join('\n')], { type: 'text/plain' }), `${say('list.fileName')}.txt`)
}

/** What has no transcript says why, and the others are not kept for it. */
async function textOf(fileId) {
  try {
    return await (await ask(textPath(fileId))).text()
  } catch (error) {
    if (error.status !== 404 && error.status !== 409) throw error
    return `(${error.message})\n`
  }
}

function textPath(fileId) {
  return `/transcribe/results/file/${fileId}?format=text`
}
