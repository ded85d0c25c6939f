import { announce, element } from './element.js'
import { say } from './say.js'
import { retryFiles } from './retry.js'

/**
 * Tries again those of some recordings that it may help: of each batch together.
 * @param {() => { file_id: string, batch_id: string }[]} worthy
 */
export function retryChosen(worthy, onRetried) {
  const button = element(
    'button',
    { type: 'button', class: 'plain', 'aria-label': say('list.retryChosen') },
    say('retry.again'),
  )
  button.addEventListener('click', async () => {
    button.disabled = true
    const files = worthy()
    const refusals = []
    for (const [batchId, fileIds] of byBatch(files))
      await retryFiles(batchId, fileIds).catch((error) => refusals.push(error.message))
    announce(refusals[0] ?? say('list.triedAgain', { count: files.length }))
    button.disabled = false
    onRetried()
  })
  return button
}

function byBatch(files) {
  const batches = new Map()
  for (const { file_id: fileId, batch_id: batchId } of files)
    batches.set(batchId, [...(batches.get(batchId) ?? []), fileId])
  return batches
}
