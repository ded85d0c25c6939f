import { UsageError } from './command.ts'
import type { Command } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** Made from the commands themselves; `all` is asked when it runs, since this is one of them. */
export function completionCommand(all: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'Print what makes a shell complete vaak.',
    help: `Usage: vaak completion bash|zsh|fish

Prints a script for your shell; what is no option is completed as a file.

  bash   vaak completion bash > ~/.local/share/bash-completion/completions/vaak
  zsh    vaak completion zsh > "\${fpath[1]}/_vaak"
  fish   vaak completion fish > ~/.config/fish/completions/vaak.fish
`,
    options: {},
    operands: true,
    async run({ operands }) {
      const shell = shells.find((one) => one === operands[0])
      if (shell === undefined || operands.length > 1) throw new UsageError(`Which shell? ${shells.join(', ')}`)
      process.stdout.write(completionFor(shell, await all()))
    },
  }
}

export function completionFor(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
  }
}

function optionsOf({ options }: Command): string[] {
  return [...Object.keys(options), 'help'].map((name) => `--${name}`)
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${optionsOf(command).join(' ')}" ;;`)
  return `_vaak() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} --help"
  else case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac; fi
  if [ "$COMP_CWORD" -eq 1 ] || [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}
complete -F _vaak vaak
`
}

function zsh(commands: readonly Command[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${inQuotes(summary)}'`)
  const cases = commands.map((command) => `    ${command.name}) compadd -- ${optionsOf(command).join(' ')} ;;`)
  return `#compdef vaak
_vaak() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  elif [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
${cases.join('\n')}
    esac
  else
    _files
  fi
}
_vaak "$@"
`
}

function fish(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c vaak -f -n __fish_use_subcommand -a ${name} -d '${inQuotes(summary)}'`,
  )
  const options = commands.flatMap((command) =>
    optionsOf(command).map(
      (option) => `complete -c vaak -n '__fish_seen_subcommand_from ${command.name}' -l ${option.slice(2)}`,
    ),
  )
  return `${[...names, ...options].join('\n')}\n`
}

/** In all three shells a quote ends, is escaped, and begins again. */
function inQuotes(text: string): string {
  return text.replaceAll("'", "'\\''")
}
