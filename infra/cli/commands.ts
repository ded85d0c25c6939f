import { alignCommand } from './align.ts'
import { askCommand } from './ask.ts'
import { auditCommand } from './audit.ts'
import { backupCommand } from './backup.ts'
import { batchCommand } from './batch.ts'
import { batchesCommand } from './batches.ts'
import { brokerUsersCommand } from './broker-users.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { configCommand } from './config.ts'
import { deadLettersCommand } from './dead-letters.ts'
import { cancelCommand } from './cancel.ts'
import { deleteCommand } from './delete.ts'
import { doctorCommand } from './doctor.ts'
import { downloadCommand } from './download.ts'
import { evaluateCommand } from './evaluate.ts'
import { listCommand } from './list.ts'
import { loginCommand } from './login.ts'
import { gatewayCommand } from './gateway.ts'
import { keysCommand } from './keys.ts'
import { migrateCommand } from './migrate.ts'
import { modelsCommand } from './models.ts'
import { realtimeCommand } from './realtime.ts'
import { restoreCommand } from './restore.ts'
import { resultsCommand } from './results.ts'
import { sayCommand } from './say.ts'
import { searchCommand } from './search.ts'
import { statusCommand } from './status.ts'
import { tokenCommand } from './token.ts'
import { transcribeCommand } from './transcribe.ts'
import { upCommand } from './up.ts'
import { uploadCommand } from './upload.ts'
import { watchCommand } from './watch.ts'
import { verifyCommand } from './verify.ts'
import { vocabularyCommand } from './vocabulary.ts'
import { workerCommand } from './worker.ts'

/** All that may follow `vaak`: what serves, what works alone, what is a client, and the rest. */
export const commands: readonly Command[] = [
  upCommand,
  gatewayCommand,
  workerCommand,
  realtimeCommand,
  transcribeCommand,
  watchCommand,
  sayCommand,
  modelsCommand,
  loginCommand,
  uploadCommand,
  batchCommand,
  batchesCommand,
  listCommand,
  statusCommand,
  resultsCommand,
  downloadCommand,
  searchCommand,
  vocabularyCommand,
  askCommand,
  cancelCommand,
  deleteCommand,
  alignCommand,
  evaluateCommand,
  verifyCommand,
  tokenCommand,
  keysCommand,
  auditCommand,
  deadLettersCommand,
  backupCommand,
  restoreCommand,
  migrateCommand,
  doctorCommand,
  brokerUsersCommand,
  configCommand,
  completionCommand(() => commands),
]
