import { spawnSync } from 'node:child_process'

import test from 'ava'

import type { Command } from '../../infra/cli/command.ts'
import { allCommands } from '../../infra/cli/commands.ts'
import { completionFor } from '../../infra/cli/completion.ts'

const some: Command[] = [
  {
    name: 'sing',
    summary: "A bird's work.",
    help: '',
    options: { loud: { type: 'boolean' } },
    run: () => Promise.resolve(),
  },
  { name: 'rest', summary: 'Nothing.', help: '', options: {}, run: () => Promise.resolve() },
]

for (const shell of ['bash', 'zsh', 'fish'] as const)
  test(`${shell} learns every command and option`, async (t) => {
    const commands = await allCommands()
    const script = completionFor(shell, commands)
    for (const { name, options } of commands)
      for (const word of [name, ...Object.keys(options)]) t.true(script.includes(word), word)
  })

test('a quote in a summary ends no string of the script', (t) => {
  t.true(completionFor('zsh', some).includes(String.raw`'sing:A bird'\''s work.'`))
  t.true(completionFor('fish', some).includes(String.raw`-d 'A bird'\''s work.'`))
})

test('bash completes commands, then their options, then files', (t) => {
  const complete = (...words: readonly string[]): string[] => {
    const asked = `COMP_WORDS=(vaak ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; compopt() { :; }; _vaak; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = spawnSync('bash', ['-c', `${completionFor('bash', some)}\n${asked}`], { encoding: 'utf8' })
    return stdout.trim().split('\n')
  }
  t.deepEqual(complete('s'), ['sing'])
  t.deepEqual(complete('sing', '--'), ['--loud', '--help'])
  t.deepEqual(complete('rest', '--'), ['--help'])
  t.deepEqual(complete('sing', 'package.j'), ['package.json'])
})
