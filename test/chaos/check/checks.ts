/** What must hold, by name, in words for a person. */
export const checks = {
  accepted: 'Whatever was accepted has finished',
  words: 'Every transcript says what was recorded, each part once and in order',
  once: 'One Idempotency-Key, one upload, one batch; nothing is there that nobody asked for',
  final: 'What has ended stays as it ended',
  deleted: 'What was deleted is gone and stays gone',
  bytes: 'What was not deleted has its bytes, and no others are stored',
  empty: 'Queues, spools and reservations are empty in the end',
  results: 'The first result of a chunk is the one that stays',
  vanished: 'No work that somebody had begun vanished from its queue',
  budget: 'The recogniser was not called more often than the faults explain',
  answers: 'No answer is a bug: no 500, every 503 says when to come back',
  processes: 'No process ended by itself',
  listing: 'Every user sees their files, each once, newest first, and nobody else’s',
  live: 'After the last fault everything moved on until it had ended',
  faults: 'Every planned fault took place',
} as const

export type CheckName = keyof typeof checks
