import { read } from './api.js'
import { announce } from './element.js'
import { say } from './say.js'

/**
 * The transcript of a file as it is edited. Each change says which version it was made to, so that nobody overwrites what they
 * have not seen; `onChanged` is told the newest after each, `onTrouble` why one was not made.
 */
export function openEdits(file, { readAgain, onChanged, onTrouble }) {
  let edits = file.edits
  let turn = Promise.resolve(true)

  const send = async (changes, done) => {
    try {
      const path = `/transcribe/results/file/${file.file_id}`
      const answer = await read(path, { method: 'PATCH', json: { version: edits?.version ?? 0, changes } })
      edits = answer.edits
      announce(done)
    } catch (error) {
      onTrouble(error.message)
      if (error.status !== 409) return false
    }
    const newest = await readAgain()
    edits = newest.edits
    onChanged(newest)
    return true
  }

  return {
    canRedo: () => edits?.redo_version !== undefined,
    canUndo: () => edits?.undo_version !== undefined,
    notes: () => edits?.notes ?? [],
    /** One after another, each to the version that the one before made. True when it was made. */
    change(changes, done) {
      turn = turn.then(() => send(changes, done)).catch((error) => (onTrouble(error.message), false))
      return turn
    },
    redo() {
      return edits?.redo_version === undefined ? turn : this.change([{ type: 'redo' }], say('edit.redone'))
    },
    undo() {
      return edits?.undo_version === undefined ? turn : this.change([{ type: 'undo' }], say('edit.undone'))
    },
  }
}
