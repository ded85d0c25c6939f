import { describeConfig } from '../config/config.ts'
import type { Setting } from '../config/kinds.ts'
import { settingsDocument } from '../config/settings-document.ts'
import { settings } from '../config/settings.ts'
import type { Command } from './command.ts'

export const configCommand: Command = {
  name: 'config',
  summary: 'Print the effective configuration, secrets not shown.',
  help: `Usage: vaak config [--markdown]

Prints every variable with its effective value, where that comes from, its unit and its meaning.
Secrets are never printed.

  --markdown   print the reference of all variables instead (infra/docs/settings.md)
`,
  options: { markdown: { type: 'boolean' } },
  run({ environment, options }) {
    process.stdout.write(options['markdown'] === true ? settingsDocument() : values(environment))
    return Promise.resolve()
  },
}

function values(environment: Parameters<typeof describeConfig>[0]): string {
  const meanings = new Map(Object.values<Setting<unknown>>(settings).map((setting) => [setting.variable, setting]))
  return describeConfig(environment)
    .map(({ variable, value, from }) => {
      const setting = meanings.get(variable)
      return `${variable}=${value}\n    ${setting?.about ?? ''} (${setting?.unit ?? ''}; ${from})\n`
    })
    .join('')
}
