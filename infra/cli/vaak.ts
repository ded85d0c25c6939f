#!/usr/bin/env node
import { ConfigError, readConfig, takeEnvironment } from '../config/config.ts'
import { letModelsRestAfter } from '../speech/threads/model-rest.ts'
import { forbidTelemetry } from '../speech/threads/no-telemetry.ts'
import { parseWords, UsageError } from './command.ts'
import { allCommands, commandNamed, commandNames } from './commands.ts'
import { errorInWords } from './error-in-words.ts'
import { closestTo } from './suggest.ts'

const exitUsage = 2
const exitFailure = 1

const nameWidth = Math.max(...commandNames.map((name) => name.length))

async function overview(): Promise<string> {
  const commands = await allCommands()
  return `Vaak: self-hosted speech service for Hindi, English and Hinglish.

  vaak up                                     a whole server on this machine
  vaak transcribe talk.mp3                    what a recording says, without a server
  vaak batch *.mp3 --language hi --watch      the same by a server, with progress bars
  vaak say "नमस्ते" --out hello.wav             a voice

Usage: vaak COMMAND [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(nameWidth)} ${summary}`).join('\n')}

Everything else is set by environment variables: vaak config lists them with their values and meanings.
vaak COMMAND --help explains a command, vaak --version says which Vaak this is.
`
}

async function main([name, ...words]: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await overview())
    return
  }
  if (name === '--version') {
    const { versionOfVaak } = await import('./version.ts')
    process.stdout.write(`vaak ${await versionOfVaak()}\n`)
    return
  }
  const command = await commandNamed(name)
  if (!command) throw new UsageError(await unknown(name))
  const { options, operands } = parseWords(command, words)
  if (options['help'] === true) {
    process.stdout.write(command.examples === undefined ? command.help : `${command.examples}\n${command.help}`)
    return
  }
  const environment = takeEnvironment((error) => {
    process.stderr.write(`Secrets of the environment can be read in /proc while this runs: ${errorInWords(error)}\n`)
  })
  const config = readConfig(environment)
  letModelsRestAfter(config.modelIdleSeconds)
  forbidTelemetry()
  await command.run({ config, environment, options, operands })
}

async function unknown(name: string): Promise<string> {
  const meant = closestTo(name, commandNames)
  const sentence = `There is no command ${JSON.stringify(name)}.`
  return meant === undefined ? `${sentence}\n\n${await overview()}` : `${sentence} Did you mean: vaak ${meant}?`
}

// A reader that has seen enough, such as head, closes the pipe: that is no failure of ours. Not by exit, which stops the
// threads of models while they compute, and so aborts with a message of theirs.
let isRead = true
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  if (isRead) process.kill(process.pid, 'SIGTERM')
  isRead = false
})

main(process.argv.slice(2)).catch((error: unknown) => {
  const isExpected = error instanceof UsageError || error instanceof ConfigError
  process.stderr.write(`${isExpected ? error.message : errorInWords(error)}\n`)
  process.exit(isExpected ? exitUsage : exitFailure)
})
