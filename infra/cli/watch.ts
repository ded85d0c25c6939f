import { lstat, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { FolderInUse, lockFolder } from '../process/folder-lock.ts'
import type { SpeechEngine } from '../speech/engine/engine.ts'
import { printable } from '../telemetry/printable.ts'
import { systemClock } from '../timing/clock.ts'
import { wholeNumber } from './choose.ts'
import { UsageError } from './command.ts'
import type { Command } from './command.ts'
import { errorInWords } from './error-in-words.ts'
import {
  transcribingHelp,
  transcribingIn,
  transcribingOptions,
  openEngineFor,
  terminalScreen,
} from './transcribing-options.ts'
import { transcribeFile } from './transcribe-files.ts'
import type { Screen } from './transcribe-files.ts'
import { openWatchedFolder, watchersFolder } from './watched-folder.ts'
import type { WatchedFolder } from './watched-folder.ts'
import { whyUnwritten } from './why-unwritten.ts'

const everySeconds = 2
const everySecondsMax = 3_600
const exitSomeFailed = 1

export const watchCommand: Command = {
  name: 'watch',
  summary: 'Transcribe what appears in a folder, without any server.',
  examples: `  vaak watch ~/Recordings
  vaak watch --format srt --recursive /srv/videos
  vaak watch --once --format json calls/
`,
  help: `Usage: vaak watch FOLDER [options]

Writes what each recording in the folder says into a file beside it, once:
meeting.mp3 gets meeting.mp3.txt. A recording is taken up when it has stopped
growing, and again when it changes. One that cannot be transcribed gets the
reason beside it (meeting.mp3.failed.txt); remove that to have it tried again.
Links, hidden files and what is no recording are left alone. It goes on until
it is stopped, at any time: a result is there whole or not at all. One that
cannot be written (disk full, folder read-only) is kept and only written later,
also by the next run where there was room for it in FOLDER/${watchersFolder}. Models that
are not needed leave memory after MODEL_IDLE_SECONDS.

  --once
        transcribe what is there, and end
  --recursive
        folders in it as well
  --every SECONDS
        how often to look, default ${everySeconds}
${transcribingHelp.beforeFormat}
  --format text|json|ndjson|srt|vtt
        default text
${transcribingHelp.afterFormat}
  --at-once N
        how many files are worked on together; default as many as keep this
        machine busy

Exit code: 1 with --once when a recording was not transcribed, 2 when the
command itself was wrong.
`,
  options: {
    once: { type: 'boolean' },
    recursive: { type: 'boolean' },
    every: { type: 'string' },
    ...transcribingOptions,
  },
  operands: true,
  async run(given) {
    const { options, operands } = given
    const [folder] = operands
    if (folder === undefined || operands.length > 1) throw new UsageError('Which folder? Try: vaak watch FOLDER')
    const { format, transcribe, atOnce: wanted } = await transcribingIn(options)
    const ending = format === 'text' ? 'txt' : format
    const everyMs = (wholeNumber(options, 'every', everySecondsMax) ?? everySeconds) * 1000
    const isOnce = options['once'] === true
    const lock = await lockedForUs(folder)
    const { filesAtOnce } = await import('../speech/engine/open-engine.ts')
    const atOnce = wanted ?? filesAtOnce()
    const screen = terminalScreen()
    let engine: Promise<SpeechEngine> | undefined
    const watched = await openWatchedFolder(folder, {
      async transcribe(path) {
        engine ??= openEngineFor(given, screen, atOnce)
        return transcribeFile(path, await engine, { screen, format, transcribe })
      },
      ending,
      atOnce,
      isRecursive: options['recursive'] === true,
      triesAgain: !isOnce,
      clock: systemClock,
      say: (sentence) => screen.say(sentence),
      written: (path) => screen.result(`${printable(path)}.${ending}\n`),
    })
    try {
      await goOn(watched, { screen, everyMs, isOnce })
    } finally {
      await (await engine)?.close()
      await lock.release()
    }
    if (watched.counts.failed > 0) process.exitCode = exitSomeFailed
  },
}

interface Going {
  readonly screen: Screen
  readonly everyMs: number
  readonly isOnce: boolean
}

/** A folder that cannot be read for a while, such as one of another machine, is looked at again. */
async function goOn(watched: WatchedFolder, { screen, everyMs, isOnce }: Going): Promise<void> {
  let said = ''
  for (;;) {
    try {
      await watched.look()
      said = ''
    } catch (error) {
      if (isOnce) throw error
      const reason = errorInWords(error)
      if (reason !== said) screen.say(`The folder cannot be read, and is looked at again: ${reason}`)
      said = reason
    }
    if (isOnce && watched.isIdle()) return
    await pause(everyMs)
  }
}

async function lockedForUs(folder: string) {
  const facts = await stat(folder).catch(() => undefined)
  if (!facts?.isDirectory()) throw new UsageError(`${printable(folder)} is no folder that can be read.`)
  const own = join(resolve(folder), watchersFolder)
  // what is removed in there on the way in is not to be somebody else's
  if ((await lstat(own).catch(() => undefined))?.isSymbolicLink())
    throw new UsageError(`${printable(own)} is a link to another place. Remove it first.`)
  try {
    return await lockFolder(own, 'vaak watch')
  } catch (error) {
    if (error instanceof FolderInUse)
      throw new UsageError(`Another "vaak watch" looks after ${printable(folder)}. Stop it first.`)
    throw new UsageError(`Nothing can be written into ${printable(folder)}: ${whyUnwritten(error)}. Mend that first.`)
  }
}
