import { read } from './api.js'
import { announce } from './element.js'
import { foreseen } from './foreseen.js'
import { say } from './say.js'

const conflict = 409

/**
 * The transcript of a file as it is edited. Each change says which version it was made to, so that nobody overwrites what they
 * have not seen; `onChanged` is told what it looks like as soon as one is asked for, and again when the server has made it or has not,
 * `onTrouble` why it was not made.
 */
export function openEdits(file, { readAgain, onChanged, onTrouble }) {
  const stored = storedTranscript(file, readAgain)
  let underWay = []
  let turn = Promise.resolve(true)

  const seen = () => underWay.reduce(withChanges, stored.seen())
  const isComing = () => underWay.some((one) => !isGoing(one))
  const canUndo = () => stored.canGo('undo') || isComing()
  const canRedo = () => stored.canGo('redo') && !isComing()

  /** What was asked for on the strength of a change that was not made is let go with it. */
  const letGo = (failed, { status }) => {
    underWay = underWay.filter((one) => one !== failed && status !== conflict && !isGoing(one))
  }

  const send = async (one) => {
    if (!underWay.includes(one)) return false
    let isMade = true
    try {
      // whether there is something to go back to is known only when the changes before it are made
      if (!isGoing(one) || stored.canGo(one.changes[0].type)) await stored.make(one)
      underWay = underWay.filter((other) => other !== one)
    } catch (error) {
      isMade = false
      onTrouble(error.message)
      letGo(one, error)
    }
    // also where it failed: whoever got no answer does not know whether it was made
    await stored.read(stored.script()).catch((error) => onTrouble(error.message))
    onChanged(seen())
    return isMade
  }

  /** One after another, each to the version that the one before made. True when it was made. */
  const change = (changes, done) => {
    const one = { changes, done }
    underWay = [...underWay, one]
    if (!isGoing(one)) onChanged(seen())
    turn = turn.then(() => send(one))
    return turn
  }

  return {
    canRedo,
    canUndo,
    seen,
    change,
    isUnderWay: () => underWay.length > 0,
    /** When nothing is under way any more. */
    settled: () => turn,
    /** The same words, written otherwise; resolves with how they are written then. */
    choose(script) {
      const readIn = () => stored.read(script).catch((error) => onTrouble(error.message))
      turn = turn.then(readIn).then(() => onChanged(seen()))
      return turn.then(stored.script)
    },
    redo: () => canRedo() && change([{ type: 'redo' }], say('edit.redone')),
    undo: () => canUndo() && change([{ type: 'undo' }], say('edit.undone')),
  }
}

/** As the server has it, as far as it has told. */
function storedTranscript(file, readAgain) {
  let newest = file
  const seen = () => ({ result: newest.result, notes: newest.edits?.notes ?? [] })
  return {
    seen,
    script: () => newest.result.script,
    canGo: (way) => newest.edits?.[`${way}_version`] !== undefined,
    async read(script) {
      newest = await readAgain({ script })
    },
    async make({ changes, done }) {
      const json = { version: newest.edits?.version ?? 0, changes }
      // it is seen already: who closes the page now has made it
      const options = { method: 'PATCH', json, keepalive: true }
      const { edits } = await read(`/transcribe/results/file/${file.file_id}`, options)
      // until it is read again, and where it cannot be
      newest = { ...newest, result: withChanges(seen(), { changes }).result, edits }
      announce(done)
    },
  }
}

function withChanges(seen, { changes }) {
  return changes.reduce(foreseen, seen)
}

/** Back or forth: always alone. */
function isGoing({ changes: [{ type }] }) {
  return type === 'undo' || type === 'redo'
}
