import type { Command } from './command.ts'

/**
 * All that may follow `vaak`: what serves, what works alone, what is a client, and the rest. Each is loaded when it is asked for:
 * a process that serves has no use for the modules of thirty others, which took a fifth of its start.
 */
const loading = {
  up: async () => (await import('./up.ts')).upCommand,
  gateway: async () => (await import('./gateway.ts')).gatewayCommand,
  worker: async () => (await import('./worker.ts')).workerCommand,
  realtime: async () => (await import('./realtime.ts')).realtimeCommand,
  transcribe: async () => (await import('./transcribe.ts')).transcribeCommand,
  watch: async () => (await import('./watch.ts')).watchCommand,
  say: async () => (await import('./say.ts')).sayCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  login: async () => (await import('./login.ts')).loginCommand,
  upload: async () => (await import('./upload.ts')).uploadCommand,
  batch: async () => (await import('./batch.ts')).batchCommand,
  batches: async () => (await import('./batches.ts')).batchesCommand,
  list: async () => (await import('./list.ts')).listCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  results: async () => (await import('./results.ts')).resultsCommand,
  download: async () => (await import('./download.ts')).downloadCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  vocabulary: async () => (await import('./vocabulary.ts')).vocabularyCommand,
  correct: async () => (await import('./correct.ts')).correctCommand,
  ask: async () => (await import('./ask.ts')).askCommand,
  cancel: async () => (await import('./cancel.ts')).cancelCommand,
  delete: async () => (await import('./delete.ts')).deleteCommand,
  align: async () => (await import('./align.ts')).alignCommand,
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  token: async () => (await import('./token.ts')).tokenCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLettersCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  'broker-users': async () => (await import('./broker-users.ts')).brokerUsersCommand,
  config: async () => (await import('./config.ts')).configCommand,
  completion: async () => (await import('./completion.ts')).completionCommand(allCommands),
} satisfies Record<string, () => Promise<Command>>

type CommandName = keyof typeof loading

export const commandNames = Object.keys(loading) as readonly CommandName[] // as: they are its own keys

/** `undefined` when there is none of that name. */
export async function commandNamed(name: string): Promise<Command | undefined> {
  const known = commandNames.find((one) => one === name)
  return known === undefined ? undefined : loading[known]()
}

export function allCommands(): Promise<Command[]> {
  return Promise.all(commandNames.map((name) => loading[name]()))
}
