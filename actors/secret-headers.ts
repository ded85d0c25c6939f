/** What a user has sent to a server of theirs: in no log, no answer and no message. */
export type SecretHeaders = Readonly<Record<string, string>>
