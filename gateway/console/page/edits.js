import { read } from './api.js'
import { announce } from './element.js'
import { foreseen } from './foreseen.js'
import { say } from './say.js'

const conflict = 409
/** So many versions can be gone back to before the server has done so; each may be hours of words. */
const knownMax = 5

/**
 * The transcript of a file as it is edited. Each change says which version it was made to, so that nobody overwrites what they
 * have not seen; `onChanged` is told what it looks like as soon as one is asked for, and again when the server has made it or has not,
 * `onTrouble` why it was not made.
 */
export function openEdits(file, { readAgain, onChanged, onTrouble }) {
  const stored = storedTranscript(file, readAgain)
  let underWay = []
  let turn = Promise.resolve(true)

  const seen = () => seenWith(stored, underWay)
  const isComing = () => underWay.some((one) => !isGoing(one))
  const canUndo = () => stored.canGo('undo') || isComing()
  const canRedo = () => stored.canGo('redo') && !isComing()

  const send = async (one) => {
    if (!underWay.includes(one)) return false
    let isMade = true
    try {
      // whether there is something to go back to is known only when the changes before it are made
      if (!isGoing(one) || stored.canGo(wayOf(one))) await stored.make(one)
      underWay = underWay.filter((other) => other !== one)
    } catch (error) {
      isMade = false
      const stays = staysWithout(one, error)
      const notMade = underWay.filter((other) => !stays(other))
      onTrouble(whyNotMade(error, notMade))
      underWay = underWay.filter(stays)
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
    onChanged(seen())
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
  const known = new Map()
  const seen = () => ({ result: newest.result, notes: newest.edits?.notes ?? [] })
  const seenAt = (way) => known.get(newest.edits?.[`${way}_version`])
  const versionOf = ({ edits }) => edits?.version ?? 0
  const know = () => {
    known.set(versionOf(newest), seen())
    if (known.size > knownMax) known.delete(known.keys().next().value)
  }
  know()
  return {
    seen,
    seenAt,
    script: () => newest.result.script,
    canGo: (way) => newest.edits?.[`${way}_version`] !== undefined,
    async read(script) {
      const before = newest.result.script
      newest = await readAgain({ script })
      // what is known is written as it was read
      if (newest.result.script !== before) known.clear()
      know()
    },
    async make(one) {
      const { changes, done } = one
      const json = { version: versionOf(newest), changes }
      // it is seen already: who closes the page now has made it
      const options = { method: 'PATCH', json, keepalive: true }
      const { edits } = await read(`/transcribe/results/file/${file.file_id}`, options)
      // until it is read again, and where it cannot be
      const { result } = isGoing(one) ? (seenAt(wayOf(one)) ?? newest) : withChanges(seen(), one)
      newest = { ...newest, result, edits }
      announce(done)
    },
  }
}

/** Who goes back sees what was there before, as far as this page knows it. */
function seenWith(stored, underWay) {
  const made = [stored.seen()]
  for (const one of underWay)
    if (!isGoing(one)) made.push(withChanges(made.at(-1), one))
    else if (made.length > 1 && wayOf(one) === 'undo') made.pop()
    else made.splice(0, made.length, stored.seenAt(wayOf(one)) ?? made.at(-1))
  return made.at(-1)
}

function withChanges(seen, { changes }) {
  return changes.reduce(foreseen, seen)
}

/** What was asked for on the strength of a change that was not made is let go with it. */
function staysWithout(failed, { status }) {
  return (one) => one !== failed && status !== conflict && !isGoing(one)
}

/** With what was typed, so that nobody has to type it again; without an answer it may have been made. */
function whyNotMade({ status, message }, notMade) {
  const typed = notMade.flatMap(({ changes }) => changes).flatMap(({ text, name }) => text ?? name ?? [])
  if (status === undefined || typed.length === 0) return message
  return `${message} ${say('edit.notSaved', { typed: typed.join(' · ') })}`
}

/** Back or forth: always alone. */
function isGoing(one) {
  return wayOf(one) === 'undo' || wayOf(one) === 'redo'
}

function wayOf({ changes: [{ type }] }) {
  return type
}
