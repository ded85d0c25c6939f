// Made from the OpenAPI document by infra/dev/generate-client.ts; a test compares the two.

export interface Alignment {
  readonly duration: number
  readonly model: string
  readonly words_found: number
  readonly words: readonly ({
    readonly word: string
    /** Seconds from the start of the recording. */
    readonly start: number
    /** Seconds from the start of the recording. */
    readonly end: number
    /** How clearly its letters were heard, 0 to 1. */
    readonly confidence: number
    /** It was not found in the recording: its times are what its neighbours leave. Only where a text was aligned. */
    readonly interpolated?: true
  })[]
  readonly lines: readonly ({
    readonly text: string
    /** Seconds from the start of the recording. */
    readonly start: number
    /** Seconds from the start of the recording. */
    readonly end: number
  })[]
  readonly warnings: readonly (string)[]
}

export interface AlignmentForm {
  /** One recording. */
  readonly file: string
  /** What is said in it, in any script; each line is a cue of its own. */
  readonly text: string
  /** Word by word, or subtitles with the lines as they are. */
  readonly response_format?: 'json' | 'srt' | 'vtt'
  /** `fast` listens with a smaller model; without it the server’s own. */
  readonly profile?: 'fast' | 'balanced' | 'accurate'
  readonly [name: string]: unknown
}

export type AnyResultsPage = ResultsPage | RawResultsPage

export type AnyTranscription = Transcription | VerboseTranscription | DiarizedTranscription

export type AnyTranslation = Translation | VerboseTranslation

export interface ApiKeyRequest {
  /** What it is for. */
  readonly label?: string
  /** After how many days it stops working; the server has a number for who says none. */
  readonly days?: number
  /** What it may be used for: transcribe, files, realtime unless told. */
  readonly scopes?: readonly ('transcribe' | 'files' | 'realtime' | 'share' | 'keys')[]
}

export interface ApiKeys {
  readonly keys: readonly ({
    /** The part of the key that is no secret. */
    readonly id: string
    readonly label: string
    /** What it may be used for. */
    readonly scopes: readonly ('transcribe' | 'files' | 'realtime' | 'share' | 'keys' | 'admin')[]
    readonly created_at: string
    /** Absent when it holds until it is revoked. */
    readonly expires_at?: string
    /** To the hour; absent when it was not used. */
    readonly last_used_at?: string
    /** The id of the key that was made in its place. */
    readonly replaced_by?: string
  })[]
}

export interface BatchAccepted {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** Files: one job each. Their chunks become jobs of their own later. */
  readonly total_jobs: number
  /** Sound in all files: as their headers tell, and as it was once they are transcribed. */
  readonly estimated_audio_seconds: number
  /** From now until the last file is done: from the sound that is left, the measured speed of the workers, the queue ahead, and what is waited for. 0 when it has ended. */
  readonly estimated_completion_seconds: number
  /** What was asked for, and what holds where nothing was. */
  readonly options: BatchOptions
  /** The batch whose failures this one tries again. */
  readonly retry_of?: string
  readonly jobs: readonly (SubmittedJob)[]
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface BatchDeleted {
  /** A UUID, in lower case. */
  readonly deleted_batch_id: string
  /** The files that went as a whole; none unless `files=true`. */
  readonly deleted_file_ids: readonly (string)[]
  readonly storage_objects_deleted: number
  readonly jobs_cleaned: number
}

export type BatchDocument = BatchFiles | BatchJobs

export interface BatchFiles {
  /** A UUID, in lower case. */
  readonly batch_id: string
  readonly files: readonly (FileResult)[]
}

export interface BatchJobs {
  /** A UUID, in lower case. */
  readonly batch_id: string
  readonly jobs: readonly (RawJob)[]
}

export interface BatchList {
  readonly limit: number
  /** Batches on this page. */
  readonly count: number
  readonly batches: readonly (ListedBatch)[]
  /** For the next page; absent on the last. */
  readonly next_cursor?: string
}

export interface BatchOptions {
  readonly language?: string
  readonly profile?: string
  readonly script: string
  readonly hotwords?: readonly (string)[]
  readonly vocabulary?: UsedVocabulary
  readonly channels: string
  readonly speakers?: number
  readonly redact?: readonly (string)[]
  readonly keep_unredacted?: boolean
  readonly redact_audio?: boolean
  /** What is written about each transcript; the questions are with their answers. */
  readonly after?: readonly ({
    readonly type: string
  })[]
}

export interface BatchRequest {
  /** All completed files of this upload. */
  readonly batch_upload_id?: string
  /** Files of any uploads. */
  readonly file_ids?: readonly (string)[]
  /** Storage keys and remote URLs. */
  readonly sources?: readonly (BatchSource)[]
  /** What it is called where it is listed; it may be changed later. */
  readonly name?: string
  /** Yours to choose: at most 2048 bytes of JSON, 50 names and 4 levels. It comes back with the status and the results, and with the call to `callback_url`. */
  readonly metadata?: Metadata
  /** What is spoken; without it, it is found out passage by passage. */
  readonly language?: 'hi' | 'en' | 'ta' | 'te' | 'bn' | 'mr' | 'gu' | 'kn' | 'ml' | 'pa' | 'ur'
  /** Speed against accuracy; without it as the server is set up. */
  readonly profile?: 'fast' | 'balanced' | 'accurate'
  /** How words are written; `mixed`, Hindi in Devanagari and English in Latin letters, unless something else is said. */
  readonly script?: 'native' | 'latin' | 'mixed'
  /** Names and terms to listen for. */
  readonly hotwords?: readonly (string)[]
  /** The id of a vocabulary of yours, whose words are listened for and spelt as it says. Its newest version is used, whatever becomes of it later. */
  readonly vocabulary?: string
  /** `separate` keeps the sides of a recorded call apart, each as one speaker; `auto` does so where two channels are the sides of a call; `mix` unless something else is said. */
  readonly channels?: 'mix' | 'separate' | 'auto'
  /** How many people speak, where it is known and channels are mixed; without it, it is found out. */
  readonly speakers?: number
  /** What is said in the recording, where that is known: its words become the transcript, each line a segment, and only their times are found out. For one file of at most 1800 seconds. */
  readonly text?: string
  /** `false` transcribes also what was transcribed in the same way as another file with the same bytes. */
  readonly deduplicate?: boolean
  /** What is taken out of the words wherever they are shown; a mark such as `[phone]` is left. No words are shown before the whole file is transcribed. */
  readonly redact?: readonly ('phone' | 'card' | 'aadhaar' | 'pan' | 'email' | 'account' | 'name')[]
  /** Keeps what was taken out as well, for you alone; otherwise nobody can ever read it. */
  readonly keep_unredacted?: boolean
  /** Makes a copy of each recording in which a tone stands for what was taken out, and gives out that one; for uploaded recordings. */
  readonly redact_audio?: boolean
  /** What a chat model writes about each transcript as soon as it is there, as if you had asked for it: see `/transcribe/results/file/{file_id}/inquiries`, where it is found. At most 5 questions, and 2000 inquiries for all files together. Refused where no chat endpoint is configured. */
  readonly after?: readonly (WantedInquiry)[]
  /** `translate` is short for `"after": [{"type": "translation"}]`: the transcript stays in the language that was spoken, and its translation into English, which names its `model`, is beside it. */
  readonly task?: 'transcribe' | 'translate'
  /** For how many days after its end something is kept, where that is shorter than what the server is set to. */
  readonly retain?: BatchRetention
  /** Is called when the batch has ended, and when something that was asked about its transcripts is written or has failed, with a signed POST; see /transcribe/webhooks/secret. */
  readonly callback_url?: string
  /** Sent with the call to `callback_url`. Secret: kept until the batch is deleted or its time is over, and shown to nobody. At most 16, and 2048 bytes together; those that say how a request is written, such as `Host`, are refused. */
  readonly callback_headers?: RequestHeaders
}

export interface BatchRetention {
  /** Its recordings, unless another batch still needs them. */
  readonly audio_days?: number
  /** What was understood of them. */
  readonly results_days?: number
  /** All of it, as if it was deleted. */
  readonly records_days?: number
}

export interface BatchSource {
  /** The storage key of a file of yours. */
  readonly gcs_key?: string
  /** Where the audio is fetched from. */
  readonly url?: string
  /** Sent with the request for `url`, and to no other scheme, host or port that it leads to. Secret: kept until the batch is deleted or its time is over, and shown to nobody. At most 16, and 2048 bytes together; those that say how a request is written, such as `Host`, are refused. */
  readonly headers?: RequestHeaders
  /** What it is called in the results; otherwise as it was uploaded, or the last part of the URL. */
  readonly filename?: string
  /** Only what comes after this: seconds from the beginning of the recording. */
  readonly start?: number
  /** Only what comes before this. Times in the transcript are those of the whole recording. */
  readonly end?: number
  /** Yours to choose: at most 2048 bytes of JSON, 50 names and 4 levels. It comes back with the status and the result of this file. */
  readonly metadata?: Metadata
}

export interface BatchStatus {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** As it was submitted. */
  readonly metadata?: Metadata
  /** `partial` when all files are done and some failed or have gaps; `failed` when all failed. */
  readonly status: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
  readonly total_files: number
  /** Files that have a result, also those with gaps. */
  readonly files_completed: number
  /** Those of them that have gaps. */
  readonly files_partial: number
  readonly files_failed: number
  /** The batch whose failures this one tries again. */
  readonly retry_of?: string
  /** The batch that tries its failures again. */
  readonly retried_as?: string
  /** Sound in all files: as their headers tell, and as it was once they are transcribed. */
  readonly estimated_audio_seconds: number
  /** From now until the last file is done: from the sound that is left, the measured speed of the workers, the queue ahead, and what is waited for. 0 when it has ended. */
  readonly estimated_completion_seconds: number
  /** How much of `estimated_audio_seconds` is behind it, also what failed: the share of the work, however long its files are. */
  readonly completed_audio_seconds: number
  /** What has to be there before the workers go on; absent while they can work. */
  readonly waiting_for?: Waiting
  /** Only in development mode. */
  readonly total_jobs?: number
  /** Only in development mode. */
  readonly completed_jobs?: number
  /** Only in development mode. */
  readonly failed_jobs?: number
  /** Only in development mode. */
  readonly processing_jobs?: number
  /** Only in development mode. */
  readonly queued_jobs?: number
  /** Only in development mode. */
  readonly files_processing?: number
}

export interface CancelledBatch {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** Files that end with what is done of them. */
  readonly files_cancelled: number
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface Capacity {
  /** Workers that transcribe. */
  readonly workers: number
  /** Seconds of audio that all of them together transcribe in a second; without any worker, what one would. */
  readonly audio_seconds_per_second: number
  /** What waits or is under way, of all users. */
  readonly waiting: {
    readonly files: number
    readonly audio_seconds: number
    /** How long ago the oldest batch came that is not finished. */
    readonly oldest_seconds?: number
  }
  readonly estimated_seconds_until_idle: number
  /** What has to be there before work goes on, such as a model. */
  readonly waiting_for?: string
}

export interface ChunkResult {
  readonly chunk_id: string
  readonly chunk_index: number
  /** Seconds from the start of the recording. */
  readonly start?: number
  /** Seconds from the start of the recording. */
  readonly end?: number
  readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  readonly attempts: number
  readonly text?: string
  readonly confidence?: number
  readonly language?: string
  readonly error?: StepError
}

export interface ClientSecret {
  readonly value: string
  readonly expires_at: number
  readonly session: {
    readonly id: string
    readonly [name: string]: unknown
  }
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
  readonly [name: string]: unknown
}

export interface ClientSecretRequest {
  /** `{"anchor": "created_at", "seconds": 600}`: for how long new sessions may be opened with it, 10 to 7200. */
  readonly expires_after?: {
    readonly [name: string]: unknown
  }
  /** What sessions begin with, as in `session.update`. */
  readonly session?: {
    readonly [name: string]: unknown
  }
  /** `true`: clients cannot change the model, instructions and tools. */
  readonly locked?: unknown
  /** How long each session may last. */
  readonly max_session_seconds?: unknown
  readonly [name: string]: unknown
}

export interface CompatibleFailure {
  /** The reason, the limit, and what to do. */
  readonly detail: string | {
    readonly message: string
    readonly [name: string]: unknown
  }
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: null
    readonly code: string | null
  }
}

export interface DeleteRequest {
  readonly file_ids: readonly (string)[]
}

export interface DeleteResult {
  readonly deleted_file_ids: readonly (string)[]
  readonly deleted_count: number
  readonly storage_objects_deleted: number
  readonly jobs_cleaned: number
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface DeletedInquiry {
  readonly inquiry_id: string
}

export interface DeletedVocabulary {
  /** A UUID, in lower case. */
  readonly vocabulary_id: string
}

export interface DiarizedTranscription {
  readonly task: 'transcribe'
  readonly duration: number
  readonly text: string
  readonly segments: readonly ({
    readonly type: 'transcript.text.segment'
    readonly id: string
    readonly start: number
    readonly end: number
    readonly text: string
    /** `A` is who spoke first; empty where nobody could tell. */
    readonly speaker: string
  })[]
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
}

export interface EditRequest {
  /** The one that you read: `edits.version`, or 0 without edits. */
  readonly version: number
  /** All of them are made, or none. `undo`, `redo` and `restore` go alone. */
  readonly changes: readonly (TranscriptChange)[]
}

export interface EditedTranscript {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly edits: TranscriptEdits
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface EvaluationRequest {
  /** What was said. */
  readonly reference: string
  /** A file whose newest transcript is compared with it. */
  readonly file_id?: string
  /** A text that is compared with it instead. */
  readonly hypothesis?: string
}

export interface Failure {
  /** The reason, the limit, and what to do. */
  readonly detail: string | {
    readonly message: string
    readonly [name: string]: unknown
  }
}

export interface FileResult {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  /** As it was submitted with this file. */
  readonly metadata?: Metadata
  /** Where the part begins that is transcribed; absent when all of it is. */
  readonly start?: number
  /** Where that part ends; absent when it goes to the end. */
  readonly end?: number
  /** `partial`: some chunks failed, and the result has gaps. */
  readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  readonly result?: Transcript
  /** Only when it was asked for, of a transcript that has one: those of older versions have none. */
  readonly waveform?: Waveform
  /** Only when it was asked for. It is of what was transcribed, whatever was edited since; absent where an older version transcribed. */
  readonly receipt?: Receipt
  /** Only where parts were transcribed again for some words: how many, and in how many of them one of the words came. The others keep what they said. */
  readonly transcribed_again?: {
    readonly chunks: number
    readonly changed: number
  }
  /** Only where the same bytes had been transcribed in the same way: from where that was taken over, as it was transcribed, without edits. */
  readonly taken_over_from?: {
    /** A UUID, in lower case. */
    readonly file_id: string
    /** A UUID, in lower case. */
    readonly batch_id: string
  }
  /** `true` where `keep_unredacted` was asked for: you alone can read what was taken out, at `/unredacted`. */
  readonly unredacted_kept?: boolean
  /** Only of a transcript that was edited, read with its edits. */
  readonly edits?: TranscriptEdits
  readonly errors?: readonly (StepError)[]
  /** `true` when it failed or has gaps and another attempt may end otherwise: the recording itself is not the reason. */
  readonly can_retry?: boolean
  /** A sentence, when the recording is no longer kept and what was understood of it is. */
  readonly audio_expired?: string
  readonly chunk_results?: readonly (ChunkResult)[]
  /** Only in development mode. */
  readonly total_chunks?: number
  /** Only in development mode. */
  readonly completed_chunks?: number
  /** Only in development mode. */
  readonly failed_chunks?: number
}

export interface FileStatus {
  /** The newest batch that it is part of. */
  readonly batch_id: string
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  /** As it was submitted with this file. */
  readonly metadata?: Metadata
  /** Where the part begins that is transcribed; absent when all of it is. */
  readonly start?: number
  /** Where that part ends; absent when it goes to the end. */
  readonly end?: number
  readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  readonly total_chunks: number
  readonly completed_chunks: number
  readonly failed_chunks: number
  /** How long the recording is, or the part of it that is transcribed; absent until it is cut. */
  readonly audio_seconds?: number
  /** How much of it is behind, by its chunks, also by those that failed; absent until it is cut. */
  readonly completed_audio_seconds?: number
  /** Of most of the speech, `und` when there is none; absent until it is known. */
  readonly language?: string
  /** Speech that was heard and not understood: `gaps` of the result say where. Absent when there is none. */
  readonly wordless_seconds?: number
  /** Why it failed; only when `failed`. `errors` of the result have all of it. */
  readonly error?: string
  /** `true` when it failed or has gaps and another attempt may end otherwise: the recording itself is not the reason. */
  readonly can_retry?: boolean
  /** A sentence, when the recording is no longer kept and what was understood of it is. */
  readonly audio_expired?: string
}

export interface FoundPassage {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  /** Seconds from the start of the recording. */
  readonly start: number
  /** Seconds from the start of the recording. */
  readonly end: number
  readonly snippet: string
}

export interface Gap {
  /** Seconds from the start of the recording. */
  readonly start: number
  /** Seconds from the start of the recording. */
  readonly end: number
  /** `not understood`, `noise`, `other language`, or what went wrong with the chunk. */
  readonly reason: string
  /** Only where a chunk failed: trying again may help. */
  readonly chunk_index?: number
  readonly [name: string]: unknown
}

/** Texts are plain text, written by a chat model: show them as text, never as HTML or Markdown. */
export interface Inquiry {
  /** `summary`, `chapters`, `translation`, or that of the question. */
  readonly inquiry_id: string
  readonly type: 'summary' | 'chapters' | 'translation' | 'question'
  readonly question?: string
  readonly status: 'waiting' | 'completed' | 'failed'
  readonly asked_at: string
  readonly finished_at?: string
  /** Who wrote it. */
  readonly model?: string
  /** Of your edits, when it was written; 0 is what was transcribed. */
  readonly version?: number
  readonly summary?: string
  /** In order of time, each up to the next. */
  readonly chapters?: readonly ({
    /** From the start of the recording. */
    readonly start: number
    /** From the start of the recording. */
    readonly end: number
    readonly title: string
  })[]
  /** In English, one for each segment that has words. */
  readonly translation?: readonly ({
    /** From the start of the recording. */
    readonly start: number
    /** From the start of the recording. */
    readonly end: number
    readonly text: string
  })[]
  /** Whether the transcript says anything about the question. */
  readonly answered?: boolean
  readonly answer?: string
  /** Where the transcript says so. */
  readonly sources?: readonly ({
    /** From the start of the recording. */
    readonly start: number
    /** From the start of the recording. */
    readonly end: number
  })[]
  /** Why it failed. Ask again, if that may help. */
  readonly error?: string
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface InquiryList {
  /** Whether a chat endpoint is configured here, so that more can be asked. */
  readonly available: boolean
  /** Of the newest transcription of the file, the oldest first. */
  readonly inquiries: readonly (Inquiry)[]
}

export interface InquiryOffer {
  /** Whether a chat endpoint is configured here, so that more can be asked. */
  readonly available: boolean
}

export interface InquiryRequest {
  /** `summary`: what was said, in a few sentences; `chapters`: where the subject changes; `translation`: all of it in English, sentence by sentence; `question`: what you ask in `question`, up to 20 a file. */
  readonly type: 'summary' | 'chapters' | 'translation' | 'question'
  /** With `"type": "question"`, and only then. */
  readonly question?: string
  /** Also where there is one: what it was written from may have been edited since. */
  readonly again?: boolean
  /** Is called when it is written or has failed, in place of the `callback_url` of the batch; not where it is there already, with a signed POST; see /transcribe/webhooks/secret. */
  readonly callback_url?: string
  /** Sent with the call to `callback_url`. Secret: kept until the batch is deleted or its time is over, and shown to nobody. At most 16, and 2048 bytes together; those that say how a request is written, such as `Host`, are refused. */
  readonly callback_headers?: RequestHeaders
}

export interface JsonWebKeySet {
  readonly keys: readonly ({
    readonly kty: string
    readonly [name: string]: unknown
  })[]
  readonly [name: string]: unknown
}

export interface ListPage {
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  readonly total_files: number
  /** Files on this page. */
  readonly count: number
  readonly files: readonly (ListedFile)[]
}

export interface ListedBatch {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** As it was submitted. */
  readonly metadata?: Metadata
  /** `partial` when all files are done and some failed or have gaps; `failed` when all failed. */
  readonly status: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
  readonly total_files: number
  /** Files that have a result, also those with gaps. */
  readonly files_completed: number
  /** Those of them that have gaps. */
  readonly files_partial: number
  readonly files_failed: number
  /** The batch whose failures this one tries again. */
  readonly retry_of?: string
  /** The batch that tries its failures again. */
  readonly retried_as?: string
  /** When it was submitted. */
  readonly created_at: string
  /** When it ended; absent while it is open. */
  readonly finished_at?: string
}

export interface ListedFile {
  /** A UUID, in lower case. */
  readonly file_id: string
  /** The name the client gave, without folders and control characters. */
  readonly filename: string
  readonly size_bytes: number
  /** From the container’s header; where that does not tell, from the size at a usual bit rate. */
  readonly estimated_duration_seconds: number
  /** `pending`: queued for storage. `uploading`: on its way. `completed`: ready. `failed`: see `error`. */
  readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
  /** The storage key; only when `completed`. */
  readonly gcs_key?: string
  /** Why it failed; only when `failed`. */
  readonly error?: string
  /** `true` where you had the same bytes stored already: they are kept once for both files, and each stays when the other is deleted. */
  readonly deduplicated?: boolean
  /** The file of yours that these bytes came with first, which may be deleted since; only when `deduplicated`. */
  readonly same_as?: string
  /** A UUID, in lower case. */
  readonly batch_upload_id: string
  /** The media type, from the content. */
  readonly content_type: string
}

export interface Live {
  readonly status: 'ok'
}

export type Metadata = {
  readonly [name: string]: unknown
}

export interface Model {
  readonly id: string
  readonly object: 'model'
  /** When it came to be is not known: always 0. */
  readonly created: number
  readonly owned_by: 'vaak'
  /** What it is for. Only here, not at OpenAI. */
  readonly kind: 'transcription' | 'speech' | 'realtime'
}

export interface Models {
  readonly object: 'list'
  readonly data: readonly (Model)[]
}

export interface NamedFiles {
  readonly file_ids: readonly (string)[]
}

export interface NewApiKey {
  /** The part of the key that is no secret. */
  readonly id: string
  readonly label: string
  /** What it may be used for. */
  readonly scopes: readonly ('transcribe' | 'files' | 'realtime' | 'share' | 'keys' | 'admin')[]
  readonly created_at: string
  /** Absent when it holds until it is revoked. */
  readonly expires_at?: string
  /** To the hour; absent when it was not used. */
  readonly last_used_at?: string
  /** The id of the key that was made in its place. */
  readonly replaced_by?: string
  /** Shown here and never again: only a hash of it is kept. */
  readonly key: string
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface NewShareLink {
  /** The part of the link that is no secret. */
  readonly link_id: string
  readonly created_at: string
  readonly expires_at: string
  /** Whether the recording may be heard besides. */
  readonly audio: boolean
  /** What opens it, shown here and never again: only a keyed hash of it is kept. */
  readonly link: string
  /** The page for people, on this server. What is behind `#` is sent to no server. */
  readonly path: string
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface NewVocabulary {
  readonly name: string
  /** In any order; an entry may be in either script. */
  readonly entries: readonly (VocabularyEntry)[]
}

/** Both say the same. */
export interface NotFound {
  readonly error: string
  readonly detail: string
}

export interface Pronunciations {
  /** At most 500, each word once. */
  readonly pronunciations: readonly ({
    /** As it is written, in any script: one word, without what surrounds it. Capitals do not matter, but in a word of capitals alone: `US` is not `us`. */
    readonly word: string
    /** What is read in its place, in any script, in at most 64 characters; it may be several words. */
    readonly spoken: string
  })[]
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

/** Both texts are normalised first: Unicode NFC, lower case, hyphens as spaces, other punctuation and symbols removed, English titles spelt out, white space folded. Tags are left out. */
export interface Quality {
  /** In the reference. */
  readonly words: number
  readonly characters: number
  /** Edits a word or character that was said: 0 is perfect, and it may exceed 1. */
  readonly word_error_rate: number
  /** Edits a word or character that was said: 0 is perfect, and it may exceed 1. */
  readonly character_error_rate: number
  /** The same in either script. A word in Devanagari on one side and in Latin letters on the other is right when it is the same loanword or sounds the same; characters are compared with both texts in Latin letters. */
  readonly either_script: {
    /** Edits a word or character that was said: 0 is perfect, and it may exceed 1. */
    readonly word_error_rate: number
    /** Edits a word or character that was said: 0 is perfect, and it may exceed 1. */
    readonly character_error_rate: number
  }
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface RawJob {
  readonly job_id: string
  /** Of a chunk: its file’s `job_id`. */
  readonly parent_id: string | null
  readonly kind: 'file' | 'chunk'
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  readonly chunk_index?: number
  readonly status: 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  readonly attempts: number
  readonly timings: {
    readonly queued_at?: string
    readonly started_at?: string
    readonly finished_at?: string
    readonly took_ms?: number
  }
  readonly error?: StepError
}

export interface RawResultsPage {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** As it was submitted. */
  readonly metadata?: Metadata
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  /** Files or jobs on this page. */
  readonly count: number
  readonly total_jobs: number
  readonly jobs: readonly (RawJob)[]
}

export interface Ready {
  readonly status: 'ready' | 'not ready'
  /** `ok`, or what is the matter with it. */
  readonly dependencies: {
    readonly [name: string]: string
  }
}

export interface RealtimePlace {
  /** On the host that this page is on. */
  readonly port: number
  /** Whether it speaks `wss:` and `https:` only. */
  readonly secure: boolean
  /** Whether it runs here, a moment ago. */
  readonly answers: boolean
}

export interface Receipt {
  readonly content: ReceiptContent
  /** A detached JWS (RFC 7515, appendix F) over the canonical JSON (RFC 8785) of `content`; its key is at `/.well-known/jwks.json`. */
  readonly jws: string
}

export interface ReceiptContent {
  readonly version: 1
  readonly file_id: string
  readonly batch_id: string
  /** The recording as it was cut and transcribed. */
  readonly audio: {
    readonly sha256: string
    readonly size_bytes: number
  }
  /** What was asked for. */
  readonly options: {
    readonly script: string
    readonly [name: string]: unknown
  }
  /** Those that wrote the words, each file with its hash. */
  readonly models: readonly ({
    readonly id: string
    readonly files: readonly ({
      readonly path: string
      readonly sha256: string
    })[]
  })[]
  readonly chunks: readonly ({
    readonly chunk_index: number
    readonly start: number
    readonly end: number
    readonly status: 'completed' | 'failed'
    readonly attempts: number
    readonly models?: readonly (string)[]
    readonly transcribed_at?: string
    /** Only where the chunk was transcribed again for some words: its other words are from this transcription, and all of them unless it is `changed`. */
    readonly earlier?: {
      readonly transcribed_at: string
      readonly attempts: number
      readonly changed: boolean
    }
    /** Why it failed. */
    readonly code?: string
  })[]
  /** Of `result` as it was transcribed: the sha256 of the canonical JSON (RFC 8785) of each field, and of each segment without `speech_information`. */
  readonly result: {
    readonly fields: {
      readonly [name: string]: string
    }
    readonly segments: readonly (string)[]
  }
}

export interface RejectedFile {
  readonly filename: string
  /** As far as it was received. */
  readonly size_bytes: number
  readonly reason: string
}

export interface RenameRequest {
  /** Empty: none. */
  readonly name: string
}

export interface RenamedBatch {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export type RequestHeaders = {
  readonly [name: string]: string
}

export interface ResultsPage {
  /** A UUID, in lower case. */
  readonly batch_id: string
  /** What it is called, if it has a name. */
  readonly name?: string
  /** As it was submitted. */
  readonly metadata?: Metadata
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  /** Files or jobs on this page. */
  readonly count: number
  readonly total_files: number
  readonly files: readonly (FileResult)[]
}

export interface ResumableUpload {
  /** A UUID, in lower case. */
  readonly resumable_upload_id: string
  /** The name the client gave, without folders and control characters. */
  readonly filename: string
  /** As the client announced. */
  readonly size_bytes: number
  /** How many are safe, from the first on; the next request begins there. */
  readonly received_bytes: number
  /** When what came is deleted, unless all of it has come. */
  readonly expires_at?: string
  /** The upload that it became; only when all of it has come. */
  readonly batch_upload_id?: string
  /** The file that it became; only when all of it has come. */
  readonly file_id?: string
  /** `true` where you had the same bytes stored already: see the file; only when all of it has come. */
  readonly deduplicated?: boolean
}

export interface ResumableUploads {
  readonly uploads: readonly (ResumableUpload)[]
  readonly count: number
}

export interface RevokedApiKey {
  readonly id: string
}

export interface RevokedShareLink {
  readonly link_id: string
}

export interface SearchPage {
  readonly query: string
  readonly page: number
  readonly limit: number
  readonly total_pages: number
  /** Passages, on all pages. */
  readonly total: number
  /** The best first. */
  readonly results: readonly (FoundPassage)[]
  /** The oldest files, where all of them are more than SEARCH_MAX_WORDS. Absent when there are none. */
  readonly files_left_out?: number
}

export interface Segment {
  /** Seconds from the start of the recording. */
  readonly start: number
  /** Seconds from the start of the recording. */
  readonly end: number
  /** With tags such as `[laughing]` where they were heard. */
  readonly text: string
  readonly language: string
  readonly confidence: number
  readonly words: readonly (Word)[]
  readonly tags: readonly (Tag)[]
  readonly model: string
  /** From 0; only where channels are kept apart. */
  readonly channel?: number
  /** Only when it was asked for. Every guess has a confidence beside it; tone and accent are left out where they would say nothing. */
  readonly speech_information?: {
    readonly tone?: string
    readonly accent?: string
    /** `speaker_1` and so on; where channels are kept apart `channel_0` and so on, one for each. */
    readonly speaker_id: string
    readonly speaker_name?: string
    readonly [name: string]: unknown
  }
  readonly [name: string]: unknown
}

export interface SessionRequest {
  readonly client_secret?: {
    /** `{"anchor": "created_at", "seconds": 600}`: for how long new sessions may be opened with it, 10 to 7200. */
    readonly expires_after?: {
      readonly [name: string]: unknown
    }
    readonly [name: string]: unknown
  } | null
  /** `true`: clients cannot change the model, instructions and tools. */
  readonly locked?: unknown
  /** How long each session may last. */
  readonly max_session_seconds?: unknown
  readonly [name: string]: unknown
}

export interface SessionTurn {
  /** Of the item in the session. */
  readonly item_id: string
  readonly role: 'user' | 'assistant'
  /** Seconds of the recording. */
  readonly start: number
  readonly end: number
  /** As it was transcribed, or written, while the session lasted; left out where the transcript is redacted. */
  readonly live_text?: string
  /** What the newest transcript says there; absent until there is one. */
  readonly text?: string
}

export interface SessionTurns {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly session_id: string
  /** `recording` until it is a file that waits to be transcribed; then how far its newest transcription is. */
  readonly status: 'recording' | 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
  /** A UUID, in lower case. */
  readonly batch_id?: string
  /** While it is `recording`: what keeps it from becoming a file, and what you can do. */
  readonly hindered_by?: {
    readonly reason: 'quota'
    readonly message: string
  }
  /** In order of time; empty while it is recorded. */
  readonly turns: readonly (SessionTurn)[]
}

export interface SessionWithSecret {
  readonly id: string
  readonly client_secret: {
    readonly value: string
    readonly expires_at: number
  }
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
  readonly [name: string]: unknown
}

export interface ShareLinkRequest {
  /** After how many days it stops working. */
  readonly days?: number
  /** Whether the recording may be heard besides. */
  readonly audio?: boolean
}

export interface ShareLinks {
  readonly links: readonly ({
    /** The part of the link that is no secret. */
    readonly link_id: string
    readonly created_at: string
    readonly expires_at: string
    /** Whether the recording may be heard besides. */
    readonly audio: boolean
  })[]
}

export interface SharedTranscript {
  readonly filename: string
  /** When the link stops working. */
  readonly expires_at: string
  /** Whether the recording may be heard, and is still kept. */
  readonly audio: boolean
  readonly result: Transcript
  /** Only when it was asked for, of a transcript that has one: those of older versions have none. */
  readonly waveform?: Waveform
}

export interface SignIn {
  /** Absent where people paste a token. */
  readonly provider?: {
    /** Its description is below it, at `/.well-known/openid-configuration`. */
    readonly issuer: string
    readonly client_id: string
    readonly scope: string
    /** What else a request to sign in has. */
    readonly parameters: {
      readonly [name: string]: string
    }
  }
}

export interface SpeechWithTimes {
  /** All of the audio, in base64. */
  readonly audio: string
  readonly format: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm'
  /** In seconds. */
  readonly duration: number
  /** As many as the text has, in its order. */
  readonly words: readonly ({
    /** As it was written, with its punctuation. */
    readonly text: string
    /** In seconds from the beginning of the audio. */
    readonly start: number
    readonly end: number
  })[]
}

export interface StepError {
  /** Absent when it is about the whole file. */
  readonly chunk_index?: number
  readonly code: string
  readonly message: string
  readonly attempts: number
  /** Of chunks that failed alike, when the last of them did. */
  readonly at: string
}

export interface SubmittedJob {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  /** A UUID, in lower case. */
  readonly batch_id: string
  readonly status: 'queued'
}

export interface Tag {
  readonly type: string
  /** Seconds from the start of the recording. */
  readonly start: number
  /** Seconds from the start of the recording. */
  readonly end: number
  readonly confidence: number
}

export interface TranscribeAgainRequest {
  /** A vocabulary of yours, which is listened for and spelt by. */
  readonly vocabulary: string
  /** Which of its entries, by their `text`: parts of the recording in which these may be said are transcribed again. */
  readonly words: readonly (string)[]
}

export interface TranscribedAgain {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly total_chunks: number
  /** Those that are transcribed again, by their numbers; none where nothing was in doubt. */
  readonly chunks: readonly (number)[]
  /** In which that is done; absent where there is nothing to do. */
  readonly batch?: BatchAccepted
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface TranscribedFile {
  /** A UUID, in lower case. */
  readonly file_id: string
  /** The name the client gave, without folders and control characters. */
  readonly filename: string
  readonly size_bytes: number
  /** From the container’s header; where that does not tell, from the size at a usual bit rate. */
  readonly estimated_duration_seconds: number
  /** `pending`: queued for storage. `uploading`: on its way. `completed`: ready. `failed`: see `error`. */
  readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
  /** The storage key; only when `completed`. */
  readonly gcs_key?: string
  /** Why it failed; only when `failed`. */
  readonly error?: string
  /** `true` where you had the same bytes stored already: they are kept once for both files, and each stays when the other is deleted. */
  readonly deduplicated?: boolean
  /** The file of yours that these bytes came with first, which may be deleted since; only when `deduplicated`. */
  readonly same_as?: string
  /** A UUID, in lower case. */
  readonly batch_upload_id: string
  /** The media type, from the content. */
  readonly content_type: string
  /** When it was uploaded. */
  readonly created_at: string
  /** How far the newest one is; absent when it was never submitted. */
  readonly transcription?: FileStatus
}

export interface TranscribedFilePage {
  readonly limit: number
  /** Files on this page. */
  readonly count: number
  readonly files: readonly (TranscribedFile)[]
  /** For the next page; absent on the last. */
  readonly next_cursor?: string
}

export interface Transcript {
  readonly text: string
  /** Of most of the speech; `und` when there is none. */
  readonly language: string
  readonly languages: readonly ({
    readonly code: string
    readonly share: number
  })[]
  /** Of the recording; of a part, where that ends in it. */
  readonly duration_seconds: number
  readonly segments: readonly (Segment)[]
  /** Every recogniser that wrote a part of it. */
  readonly model: string
  readonly script: string
  readonly warnings: readonly (string)[]
  /** Speech that is not in the words, in order of time; absent when there is none. */
  readonly gaps?: readonly (Gap)[]
  readonly [name: string]: unknown
}

export type TranscriptChange = {
  readonly type: 'text'
  /** Its place in `segments`, from 0. */
  readonly segment: number
  /** What was said in it. Words that stay keep their times. */
  readonly text: string
} | {
  readonly type: 'word'
  /** Its place in `segments`, from 0. */
  readonly segment: number
  /** Its place in `words` of the segment, from 0. */
  readonly word: number
  /** None, one or several words in its place. */
  readonly text: string
} | {
  readonly type: 'name'
  /** A `speaker_id`. */
  readonly speaker: string
  /** Empty: none. */
  readonly name: string
} | {
  readonly type: 'merge'
  /** A `speaker_id`. */
  readonly speaker: string
  /** A `speaker_id`. */
  readonly into: string
} | {
  readonly type: 'note'
  /** Of a note that is written anew; without it, it is another one. */
  readonly id?: string
  /** Seconds from the start of the recording. */
  readonly at: number
  readonly text: string
} | {
  readonly type: 'remove_note'
  readonly id: string
} | {
  readonly type: 'undo'
} | {
  readonly type: 'redo'
} | {
  readonly type: 'restore'
  readonly version: number
}

export interface TranscriptEdits {
  /** Grows with every edit; say it with the next one. */
  readonly version: number
  readonly edited_at: string
  /** What `undo` goes back to; absent when nothing is left to undo. 0 is as it was transcribed. */
  readonly undo_version?: number
  /** What `redo` goes forward to; absent unless the last thing that was done is `undo`, or `redo`. */
  readonly redo_version?: number
  /** The oldest one, besides 0, that can still be read. */
  readonly oldest_version: number
  /** In order of time. */
  readonly notes: readonly (TranscriptNote)[]
}

export interface TranscriptNote {
  readonly id: string
  /** Seconds from the start of the recording. */
  readonly at: number
  readonly text: string
}

export interface Transcription {
  readonly text: string
  readonly logprobs?: readonly ({
    /** A word, with the space before it. */
    readonly token: string
    readonly logprob: number
    /** The word in UTF-8. */
    readonly bytes: readonly (number)[]
  })[]
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
}

export interface TranscriptionForm {
  /** One recording. */
  readonly file: string
  /** `fast`, `balanced` or `accurate`; any other name means what the server is set to. */
  readonly model: string
  /** What is spoken; without it, it is found out. */
  readonly language?: 'hi' | 'en' | 'ta' | 'te' | 'bn' | 'mr' | 'gu' | 'kn' | 'ml' | 'pa' | 'ur'
  /** Names and terms to listen for, separated by commas. */
  readonly prompt?: string
  /** `diarized_json` says who spoke, with every passage; with `stream` every form but that of events is left out. */
  readonly response_format?: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt' | 'diarized_json'
  /** What `verbose_json` has times for. */
  readonly timestamp_granularities?: readonly ('word' | 'segment')[]
  /** Text as server-sent events, passage by passage; the last one has all of it. */
  readonly stream?: 'true' | 'false'
  /** `logprobs` adds how sure each word is, to `json` and to the last event of a stream. */
  readonly include?: readonly ('logprobs')[]
  /** How words are written. Only here, not at OpenAI. */
  readonly script?: 'native' | 'latin' | 'mixed'
  /** What is taken out of the words wherever they are shown; a mark such as `[phone]` is left. No words are shown before the whole file is transcribed. */
  readonly redact?: readonly ('phone' | 'card' | 'aadhaar' | 'pan' | 'email' | 'account' | 'name')[]
  /** The id of a vocabulary of yours, whose words are listened for and spelt as it says. Its newest version is used, whatever becomes of it later. */
  readonly vocabulary?: string
  readonly [name: string]: unknown
}

export interface Translation {
  readonly text: string
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
  readonly translated_by: string
  readonly [name: string]: unknown
}

export interface TranslationForm {
  /** One recording. */
  readonly file: string
  /** `fast`, `balanced` or `accurate`; any other name means what the server is set to. */
  readonly model: string
  /** Names and terms to listen for, separated by commas. */
  readonly prompt?: string
  /** What is spoken; without it, it is found out. */
  readonly language?: 'hi' | 'en' | 'ta' | 'te' | 'bn' | 'mr' | 'gu' | 'kn' | 'ml' | 'pa' | 'ur'
  readonly response_format?: 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt'
  readonly [name: string]: unknown
}

export interface UnredactedResult {
  /** A UUID, in lower case. */
  readonly file_id: string
  readonly filename: string
  readonly result: Transcript
}

export interface UploadAccepted {
  /** A UUID, in lower case. */
  readonly batch_upload_id: string
  readonly status: 'accepted'
  readonly total_files: number
  /** Seconds spent on receiving the files. */
  readonly spool_seconds: number
  readonly files: readonly (UploadedFile)[]
  /** Files of the request that were not accepted, each with the reason; the others were. */
  readonly rejected_files?: readonly (RejectedFile)[]
}

export interface UploadStatus {
  /** A UUID, in lower case. */
  readonly batch_upload_id: string
  /** `accepted` while any file is open; then `completed`, `failed`, or `partial` when both happened. */
  readonly status: 'accepted' | 'completed' | 'partial' | 'failed'
  readonly total_files: number
  readonly completed: number
  readonly failed: number
  readonly uploading: number
  readonly pending: number
  readonly files: readonly (UploadedFile)[]
}

export interface UploadedFile {
  /** A UUID, in lower case. */
  readonly file_id: string
  /** The name the client gave, without folders and control characters. */
  readonly filename: string
  readonly size_bytes: number
  /** From the container’s header; where that does not tell, from the size at a usual bit rate. */
  readonly estimated_duration_seconds: number
  /** `pending`: queued for storage. `uploading`: on its way. `completed`: ready. `failed`: see `error`. */
  readonly upload_status: 'pending' | 'uploading' | 'completed' | 'failed'
  /** The storage key; only when `completed`. */
  readonly gcs_key?: string
  /** Why it failed; only when `failed`. */
  readonly error?: string
  /** `true` where you had the same bytes stored already: they are kept once for both files, and each stays when the other is deleted. */
  readonly deduplicated?: boolean
  /** The file of yours that these bytes came with first, which may be deleted since; only when `deduplicated`. */
  readonly same_as?: string
}

export interface Usage {
  /** Uploads that are not deleted. */
  readonly stored: {
    readonly files: number
    readonly bytes: number
    /** The most that you may have; absent where there is no limit. */
    readonly max_files?: number
    /** The most that you may have; absent where there is no limit. */
    readonly max_bytes?: number
  }
  /** What the quota of a day counts: everything that was submitted today, also to be transcribed once more, and what failed, was cancelled or was deleted since. A recording behind a URL counts as a minute, or as what it has when that is more. */
  readonly today: {
    /** In UTC. */
    readonly date: string
    /** Seconds of audio. */
    readonly audio_seconds: number
    /** The most that you may have; absent where there is no limit. */
    readonly max_audio_seconds?: number
  }
  /** The last 30 days, newest first, without those on which there was nothing. */
  readonly days: readonly ({
    /** In UTC. */
    readonly date: string
    readonly batches: number
    readonly files: number
    /** Seconds of audio, as it was decoded; until then as it was taken for. */
    readonly audio_seconds: number
    /** Realtime sessions that ended on this day. */
    readonly sessions: number
    /** How long these were open, together. */
    readonly session_seconds: number
  })[]
  /** Whether `days` has all batches of that time; it adds up the newest 1000 at most. */
  readonly is_complete: boolean
}

export interface UsedVocabulary {
  /** A UUID, in lower case. */
  readonly vocabulary_id: string
  readonly version: number
  /** Of its entries; also in the receipt. */
  readonly sha256: string
}

export interface VerboseTranscription {
  readonly task: 'transcribe'
  /** Its English name, in lower case. */
  readonly language: string
  readonly duration: number
  readonly text: string
  readonly segments?: readonly ({
    readonly id: number
    readonly start: number
    readonly end: number
    readonly text: string
    readonly [name: string]: unknown
  })[]
  readonly words?: readonly ({
    readonly word: string
    readonly start: number
    readonly end: number
    readonly [name: string]: unknown
  })[]
  /** Speech that is not in the words, in order of time; absent when there is none. */
  readonly gaps?: readonly (Gap)[]
  /** What to know before it is trusted, as sentences. */
  readonly warnings: readonly (string)[]
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
  readonly [name: string]: unknown
}

export interface VerboseTranslation {
  readonly task: 'translate'
  readonly language: 'english'
  readonly duration: number
  readonly text: string
  readonly segments: readonly ({
    readonly id: number
    readonly start: number
    readonly end: number
    readonly text: string
    readonly [name: string]: unknown
  })[]
  readonly usage: {
    readonly type: 'duration'
    readonly seconds: number
  }
  /** The chat model; empty where nothing was said. */
  readonly translated_by: string
  readonly [name: string]: unknown
}

export interface Vocabularies {
  readonly vocabularies: readonly (VocabularyStanding)[]
}

export interface Vocabulary {
  /** A UUID, in lower case. */
  readonly vocabulary_id: string
  readonly name: string
  /** Counted from 1. */
  readonly version: number
  readonly updated_at: string
  readonly entry_count: number
  /** Of the entries. */
  readonly sha256: string
  readonly entries: readonly (VocabularyEntry)[]
}

export interface VocabularyChange {
  /** The one that you read. When there is a newer one nothing is done. */
  readonly version: number
  readonly name?: string
  /** All entries anew. */
  readonly entries?: readonly (VocabularyEntry)[]
  /** More of them. One with the same `text` takes the place of the one before, and keeps its `spoken` forms. */
  readonly add?: readonly (VocabularyEntry)[]
  /** Those with this `text` go; what is not there is no mistake. */
  readonly remove?: readonly (string)[]
}

export interface VocabularyEntry {
  /** How it is written. It is listened for in both scripts. */
  readonly text: string
  /** How strongly it is listened for; 1 unless told. With 0 it is only spelt so where it is heard. */
  readonly weight?: number
  /** What may be recognised in its place, as it stands in a transcript: each of these is written as `text`. */
  readonly spoken?: readonly (string)[]
}

export interface VocabularyStanding {
  /** A UUID, in lower case. */
  readonly vocabulary_id: string
  readonly name: string
  /** Counted from 1. */
  readonly version: number
  readonly updated_at: string
  readonly entry_count: number
  /** Of the entries. */
  readonly sha256: string
  /** Fields of the request that there are not, and that were ignored. Absent when there are none. */
  readonly warnings?: readonly (string)[]
}

export interface Voice {
  readonly id: string
  readonly name: string
  readonly gender: 'female' | 'male'
  /** `hi`, `ta` or `en`: what it is made for. Every voice speaks all three. */
  readonly language: string
  readonly engine: 'neural' | 'light'
  /** Other names that mean this voice. */
  readonly aliases: readonly (string)[]
  readonly sample_url: string
}

export interface Voices {
  readonly object: 'list'
  readonly data: readonly (Voice)[]
}

export interface Waiting {
  /** For people: `fetching model moonshine-base-en`. */
  readonly what: string
  /** How much of it is there; absent when that cannot be told. */
  readonly percent?: number
}

export interface WantedInquiry {
  /** `summary`: what was said, in a few sentences; `chapters`: where the subject changes; `translation`: all of it in English, sentence by sentence; `question`: what you ask in `question`, up to 20 a file. */
  readonly type: 'summary' | 'chapters' | 'translation' | 'question'
  /** With `"type": "question"`, and only then. */
  readonly question?: string
}

export interface Waveform {
  readonly seconds_per_point: number
  /** Of each point the loudest, 0 to 1,000; at most 1,600 points. */
  readonly levels: readonly (number)[]
}

export interface WebhookSecret {
  /** `whsec_` and the key in base64. */
  readonly secret: string
}

export interface WebhookStatus {
  /** A UUID, in lower case. */
  readonly batch_id: string
  readonly callback_url: string
  /** `pending` until the batch ends; `waiting` while it is being tried. */
  readonly status: 'pending' | 'waiting' | 'delivered' | 'given_up'
  /** 1, and one more each time that it was asked for again. */
  readonly round: number
  /** Of this round, in order: what the server answered, or why it was not reached. */
  readonly attempts: readonly ({
    readonly at: string
    readonly status?: number
    readonly error?: string
  })[]
}

export interface Word {
  readonly word: string
  /** With its capitals and the marks after it, as in the text. */
  readonly punctuated_word?: string
  /** Seconds from the start of the recording. */
  readonly start: number
  /** Seconds from the start of the recording. */
  readonly end: number
  readonly language: string
  readonly confidence: number
  /** What was recognised, where your vocabulary spells it otherwise; not in what is redacted. */
  readonly heard?: string
  /** It was not found in the recording: its times are what its neighbours leave. Only where a text was aligned. */
  readonly interpolated?: true
}

export interface Operations {
  /** Upload audio files */
  readonly uploadFiles: {
    readonly params: Record<never, never>
    readonly query: {
      /** Whether bytes that you have stored already are kept once for both files, which then say `deduplicated`. `false` stores them again. */
      readonly deduplicate?: boolean
    }
    readonly body: FormData
    readonly answer: UploadAccepted
  }
  /** What resumable uploads can do here */
  readonly describeResumableUploads: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** Begin an upload that may break off */
  readonly beginResumableUpload: {
    readonly params: Record<never, never>
    readonly query: {
      /** Whether bytes that you have stored already are kept once for both files, which then say `deduplicated`. `false` stores them again. */
      readonly deduplicate?: boolean
    }
    readonly body: undefined
    readonly answer: string
  }
  /** List unfinished uploads */
  readonly listResumableUploads: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: ResumableUploads
  }
  /** How far a resumable upload is */
  readonly getResumableUpload: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly resumable_upload_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: ResumableUpload
  }
  /** Send more of a resumable upload */
  readonly continueResumableUpload: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly resumable_upload_id: string
    }
    readonly query: Record<never, never>
    readonly body: FormData
    readonly answer: string
  }
  /** Give up a resumable upload */
  readonly dropResumableUpload: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly resumable_upload_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** Watch an upload */
  readonly getUpload: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_upload_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: UploadStatus
  }
  /** List files */
  readonly listFiles: {
    readonly params: Record<never, never>
    readonly query: {
      /** Which page, from 1. */
      readonly page?: number
      /** Files a page. */
      readonly limit?: number
      /** `pending`: queued for storage. `uploading`: on its way. `completed`: ready. `failed`: see `error`. */
      readonly upload_status?: 'pending' | 'uploading' | 'completed' | 'failed'
    }
    readonly body: undefined
    readonly answer: ListPage
  }
  /** Delete files */
  readonly deleteFiles: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: DeleteRequest
    readonly answer: DeleteResult
  }
  /** Hear a file */
  readonly getFileAudio: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: {
      /** As it was uploaded, whatever was taken out of its transcript. */
      readonly original?: boolean
    }
    readonly body: undefined
    readonly answer: string
  }
  /** Read the turns of a session that was kept */
  readonly getSessionTurns: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: {
      /** Of `text`; without it, as the transcript was submitted. */
      readonly script?: 'native' | 'latin' | 'mixed'
    }
    readonly body: undefined
    readonly answer: SessionTurns
  }
  /** Submit files for transcription */
  readonly submitBatch: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: BatchRequest
    readonly answer: BatchAccepted
  }
  /** List batches */
  readonly listBatches: {
    readonly params: Record<never, never>
    readonly query: {
      /** Most batches a page. */
      readonly limit?: number
      /** `next_cursor` of the page before. The other parameters stay as they were. */
      readonly cursor?: string
      /** Only batches that are so far. */
      readonly status?: 'queued' | 'processing' | 'completed' | 'partial' | 'failed'
      /** Only batches that were submitted at this time or later. A date is its beginning in UTC. */
      readonly from?: string
      /** Only batches that were submitted before this time. A date is its beginning in UTC. */
      readonly to?: string
    }
    readonly body: undefined
    readonly answer: BatchList
  }
  /** List files with their transcription */
  readonly listTranscribedFiles: {
    readonly params: Record<never, never>
    readonly query: {
      /** How many files are looked at for a page: a filter shows those of them that match. */
      readonly limit?: number
      /** `next_cursor` of the page before. The other parameters stay as they were. */
      readonly cursor?: string
      /** Only files whose newest transcription is so far; `none`: which were never submitted. */
      readonly status?: 'none' | 'queued' | 'processing' | 'retrying' | 'completed' | 'partial' | 'failed'
      /** Only files in which most of the speech is in it. */
      readonly language?: 'hi' | 'en' | 'ta' | 'te' | 'bn' | 'mr' | 'gu' | 'kn' | 'ml' | 'pa' | 'ur' | 'und'
      /** Only files whose name has this in it, in large or small letters. */
      readonly name?: string
      /** Only files that were uploaded at this time or later. A date is its beginning in UTC. */
      readonly from?: string
      /** Only files that were uploaded before this time. A date is its beginning in UTC. */
      readonly to?: string
    }
    readonly body: undefined
    readonly answer: TranscribedFilePage
  }
  /** What the service can do now */
  readonly getCapacity: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Capacity
  }
  /** What you use */
  readonly getUsage: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Usage
  }
  /** Rename a batch */
  readonly renameBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: RenameRequest
    readonly answer: RenamedBatch
  }
  /** Delete a batch */
  readonly deleteBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: {
      /** Whether its files go as well, wherever they are. */
      readonly files?: boolean
    }
    readonly body: undefined
    readonly answer: BatchDeleted
  }
  /** Cancel a batch */
  readonly cancelBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: CancelledBatch
  }
  /** Cancel single files */
  readonly cancelFiles: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: NamedFiles
    readonly answer: CancelledBatch
  }
  /** Try again what failed */
  readonly retryBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: BatchAccepted
  }
  /** Try again single files */
  readonly retryFiles: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: NamedFiles
    readonly answer: BatchAccepted
  }
  /** Watch a batch */
  readonly getBatchStatus: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: BatchStatus
  }
  /** Watch a file */
  readonly getFileStatus: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: FileStatus
  }
  /** Follow a batch */
  readonly watchBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** Read the results of a batch */
  readonly getBatchResults: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: {
      /** `completed` includes files with gaps. */
      readonly status?: 'completed' | 'failed' | 'retrying' | 'processing'
      /** Which page, from 1. */
      readonly page?: number
      /** Files or jobs a page. */
      readonly limit?: number
      /** One record a job, files and chunks, instead of one result a file. */
      readonly raw?: boolean
      /** As it was transcribed, without what was edited since. */
      readonly original?: boolean
      /** Adds `chunk_results` to each file: of one under way those that are done have their text, so that it is read while the rest is in work. */
      readonly chunks?: boolean
      /** Adds tone, accent, speaker and measures to each segment. */
      readonly speech_information?: boolean
      /** Adds what each file was transcribed from and with, signed: `vaak verify` checks it. */
      readonly receipt?: boolean
      /** Adds how loud the recording is from beginning to end, for a picture. */
      readonly waveform?: boolean
      /** How words are written, whatever was said at submission: nothing is transcribed again. */
      readonly script?: 'native' | 'latin' | 'mixed'
      /** Numbers, money, times and percentages as figures, in the Indian way; `devanagari` writes १२३. */
      readonly numerals?: 'false' | 'true' | 'devanagari'
      /** `clean` leaves out um, उम्म and the like, and what somebody began twice; nothing is transcribed again. */
      readonly style?: 'verbatim' | 'clean'
      /** Whether `[laughing]` and the like stay in the text. */
      readonly tags?: boolean
    }
    readonly body: undefined
    readonly answer: AnyResultsPage
  }
  /** Read the result of a file */
  readonly getFileResult: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: {
      /** The result with its status, or, of a file that has one, the transcript for people to read. */
      readonly format?: 'json' | 'ndjson' | 'text' | 'srt' | 'vtt' | 'docx' | 'pdf'
      /** As it was transcribed, without what was edited since. */
      readonly original?: boolean
      /** Adds `chunk_results` to each file: of one under way those that are done have their text, so that it is read while the rest is in work. */
      readonly chunks?: boolean
      /** Adds tone, accent, speaker and measures to each segment. */
      readonly speech_information?: boolean
      /** Adds what each file was transcribed from and with, signed: `vaak verify` checks it. */
      readonly receipt?: boolean
      /** Adds how loud the recording is from beginning to end, for a picture. */
      readonly waveform?: boolean
      /** How words are written, whatever was said at submission: nothing is transcribed again. */
      readonly script?: 'native' | 'latin' | 'mixed'
      /** Numbers, money, times and percentages as figures, in the Indian way; `devanagari` writes १२३. */
      readonly numerals?: 'false' | 'true' | 'devanagari'
      /** `clean` leaves out um, उम्म and the like, and what somebody began twice; nothing is transcribed again. */
      readonly style?: 'verbatim' | 'clean'
      /** Whether `[laughing]` and the like stay in the text. */
      readonly tags?: boolean
      /** As it was at this version of its edits; 0 is as it was transcribed. Without it, the newest. */
      readonly version?: number
      /** Names each voice in what is for people to read; the sides of a call are named anyhow. */
      readonly speakers?: boolean
    }
    readonly body: undefined
    readonly answer: FileResult
  }
  /** Edit the result of a file */
  readonly editFileResult: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: EditRequest
    readonly answer: EditedTranscript
  }
  /** Read what was taken out of a transcript */
  readonly getUnredactedResult: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: UnredactedResult
  }
  /** See whether anybody can write about transcripts */
  readonly getInquiryOffer: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: InquiryOffer
  }
  /** Ask for a summary, chapters, a translation or an answer */
  readonly askInquiry: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: InquiryRequest
    readonly answer: Inquiry
  }
  /** List summary, chapters and answers of a file */
  readonly listInquiries: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: InquiryList
  }
  /** Delete a summary, chapters or an answer */
  readonly deleteInquiry: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
      /** As the list has it. */
      readonly inquiry_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: DeletedInquiry
  }
  /** Transcribe again what is in doubt */
  readonly transcribeAgain: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: TranscribeAgainRequest
    readonly answer: TranscribedAgain
  }
  /** Share the transcript of a file */
  readonly makeShareLink: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: ShareLinkRequest
    readonly answer: NewShareLink
  }
  /** List the share links of a file */
  readonly listShareLinks: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: ShareLinks
  }
  /** Revoke a share link */
  readonly revokeShareLink: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly file_id: string
      /** As the list of its links has it. */
      readonly link_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: RevokedShareLink
  }
  /** Read what a share link shows */
  readonly readShared: {
    readonly params: Record<never, never>
    readonly query: {
      /** In which form. */
      readonly format?: 'json' | 'text' | 'srt' | 'vtt' | 'docx' | 'pdf'
      /** Adds tone, accent, speaker and measures to each segment. */
      readonly speech_information?: boolean
      /** Adds what each file was transcribed from and with, signed: `vaak verify` checks it. */
      readonly receipt?: boolean
      /** Adds how loud the recording is from beginning to end, for a picture. */
      readonly waveform?: boolean
      /** How words are written, whatever was said at submission: nothing is transcribed again. */
      readonly script?: 'native' | 'latin' | 'mixed'
      /** Numbers, money, times and percentages as figures, in the Indian way; `devanagari` writes १२३. */
      readonly numerals?: 'false' | 'true' | 'devanagari'
      /** `clean` leaves out um, उम्म and the like, and what somebody began twice; nothing is transcribed again. */
      readonly style?: 'verbatim' | 'clean'
      /** Whether `[laughing]` and the like stay in the text. */
      readonly tags?: boolean
      /** Names each voice in what is for people to read; the sides of a call are named anyhow. */
      readonly speakers?: boolean
    }
    readonly body: undefined
    readonly answer: SharedTranscript
  }
  /** Hear what a share link shows */
  readonly getSharedAudio: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** Download the results of a batch */
  readonly downloadBatch: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: {
      /** `completed` includes files with gaps. */
      readonly status?: 'completed' | 'failed' | 'processing'
      /** One JSON value a line, one document, one text with a heading for each file, or subtitles: of one file as they are, of several as a ZIP. */
      readonly format?: 'ndjson' | 'json' | 'text' | 'srt' | 'vtt'
      /** One record a job, files and chunks, instead of one result a file. */
      readonly raw?: boolean
      /** As it was transcribed, without what was edited since. */
      readonly original?: boolean
      /** Adds `chunk_results` to each file: of one under way those that are done have their text, so that it is read while the rest is in work. */
      readonly chunks?: boolean
      /** Adds tone, accent, speaker and measures to each segment. */
      readonly speech_information?: boolean
      /** Adds what each file was transcribed from and with, signed: `vaak verify` checks it. */
      readonly receipt?: boolean
      /** Adds how loud the recording is from beginning to end, for a picture. */
      readonly waveform?: boolean
      /** How words are written, whatever was said at submission: nothing is transcribed again. */
      readonly script?: 'native' | 'latin' | 'mixed'
      /** Numbers, money, times and percentages as figures, in the Indian way; `devanagari` writes १२३. */
      readonly numerals?: 'false' | 'true' | 'devanagari'
      /** `clean` leaves out um, उम्म and the like, and what somebody began twice; nothing is transcribed again. */
      readonly style?: 'verbatim' | 'clean'
      /** Whether `[laughing]` and the like stay in the text. */
      readonly tags?: boolean
      /** Names each voice in what is for people to read; the sides of a call are named anyhow. */
      readonly speakers?: boolean
    }
    readonly body: undefined
    readonly answer: BatchDocument
  }
  /** Measure how well a recording was heard */
  readonly evaluate: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: EvaluationRequest
    readonly answer: Quality
  }
  /** Find what was said */
  readonly search: {
    readonly params: Record<never, never>
    readonly query: {
      /** Words that are all said in one passage, in any script and nearly any spelling; the last may be a beginning. */
      readonly q: string
      /** Only in the transcript of this file of yours. */
      readonly file_id?: string
      /** Which page, from 1. */
      readonly page?: number
      /** Passages a page. */
      readonly limit?: number
    }
    readonly body: undefined
    readonly answer: SearchPage
  }
  /** Keep a vocabulary */
  readonly createVocabulary: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: NewVocabulary
    readonly answer: VocabularyStanding
  }
  /** List your vocabularies */
  readonly listVocabularies: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Vocabularies
  }
  /** Read a vocabulary */
  readonly readVocabulary: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly vocabulary_id: string
    }
    readonly query: {
      /** An older one; the last 5 are kept. Without it the newest. */
      readonly version?: number
    }
    readonly body: undefined
    readonly answer: Vocabulary
  }
  /** Change a vocabulary */
  readonly changeVocabulary: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly vocabulary_id: string
    }
    readonly query: Record<never, never>
    readonly body: VocabularyChange
    readonly answer: VocabularyStanding
  }
  /** Delete a vocabulary */
  readonly deleteVocabulary: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly vocabulary_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: DeletedVocabulary
  }
  /** Read the key that calls to you are signed with */
  readonly getWebhookSecret: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: WebhookSecret
  }
  /** See whether a call was taken */
  readonly getWebhookStatus: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: WebhookStatus
  }
  /** Have a call made again */
  readonly sendWebhookAgain: {
    readonly params: {
      /** A UUID, in lower case. */
      readonly batch_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: WebhookStatus
  }
  /** Find out when the words of a text were said */
  readonly alignText: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: FormData
    readonly answer: Alignment
  }
  /** Transcribe one recording while you wait */
  readonly createTranscription: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: FormData
    readonly answer: AnyTranscription
  }
  /** Translate one recording into English while you wait */
  readonly createTranslation: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: FormData
    readonly answer: AnyTranslation
  }
  /** List the models */
  readonly listModels: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Models
  }
  /** Read a model */
  readonly readModel: {
    readonly params: {
      /** An id from `GET /v1/models`. */
      readonly model_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Model
  }
  /** Have text spoken */
  readonly speak: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: {
      /** Accepted for compatibility; the engine is the operator’s choice. */
      readonly model?: string
      /** What to say, in Hindi, Tamil, English or a mixture; at most 4096 characters. */
      readonly input: string
      /** A voice’s id, or one of its aliases. */
      readonly voice: string | {
        readonly id: string
      }
      /** pcm is 16-bit, mono, 24 kHz, little-endian. */
      readonly response_format?: 'mp3' | 'opus' | 'aac' | 'flac' | 'wav' | 'pcm'
      readonly speed?: number
      /** Accepted for compatibility; not used. */
      readonly instructions?: string
      /** How the audio comes, each as it is made, clause by clause. `audio`: by itself. `sse`: as OpenAI’s events, with `speech.audio.words` besides, which says when each word is heard. `json`: as one object, with the times of all words. */
      readonly stream_format?: 'audio' | 'sse' | 'json'
    }
    readonly answer: SpeechWithTimes
  }
  /** List the voices */
  readonly listVoices: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Voices
  }
  /** Hear a voice */
  readonly voiceSample: {
    readonly params: {
      /** An id from `GET /v1/voices`. */
      readonly voice_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** List your pronunciations */
  readonly listPronunciations: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Pronunciations
  }
  /** Say how words are spoken */
  readonly putPronunciations: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: Pronunciations
    readonly answer: Pronunciations
  }
  /** Make an ephemeral token for a browser */
  readonly makeClientSecret: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: ClientSecretRequest
    readonly answer: ClientSecret
  }
  /** Make an ephemeral token (older clients) */
  readonly makeSession: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: SessionRequest
    readonly answer: SessionWithSecret
  }
  /** Make an ephemeral token for transcription (older clients) */
  readonly makeTranscriptionSession: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: SessionRequest
    readonly answer: SessionWithSecret
  }
  /** Call over WebRTC */
  readonly openCall: {
    readonly params: Record<never, never>
    readonly query: {
      /** The id of a session that was cut off, to go on with it. */
      readonly resume?: string
    }
    readonly body: FormData
    readonly answer: string
  }
  /** Call over WebRTC (older clients) */
  readonly openOlderCall: {
    readonly params: Record<never, never>
    readonly query: {
      /** Such as `vaak-realtime`. */
      readonly model?: string
      /** The id of a session that was cut off, to go on with it. */
      readonly resume?: string
    }
    readonly body: FormData
    readonly answer: string
  }
  /** End a call */
  readonly hangUpCall: {
    readonly params: {
      /** The last part of the `Location` with which the call was answered. */
      readonly call_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Record<string, unknown>
  }
  /** List your API keys */
  readonly listApiKeys: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: ApiKeys
  }
  /** Make an API key */
  readonly makeApiKey: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: ApiKeyRequest
    readonly answer: NewApiKey
  }
  /** Put a new API key in the place of one */
  readonly rotateApiKey: {
    readonly params: {
      /** As the list of your keys has it. */
      readonly key_id: string
    }
    readonly query: {
      /** For how long the old key goes on beside the new one. */
      readonly overlap_hours?: number
    }
    readonly body: undefined
    readonly answer: NewApiKey
  }
  /** Revoke an API key */
  readonly revokeApiKey: {
    readonly params: {
      /** As the list of your keys has it. */
      readonly key_id: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: RevokedApiKey
  }
  /** The public keys of this service */
  readonly getPublicKeys: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: JsonWebKeySet
  }
  /** Where realtime is */
  readonly realtimePlace: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: RealtimePlace
  }
  /** Where people sign in */
  readonly signIn: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: SignIn
  }
  /** The console, for people */
  readonly console: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** What a share link shows, for people */
  readonly sharedPage: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** A part of the console */
  readonly consolePart: {
    readonly params: {
      /** What the page refers to. */
      readonly name: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** A part of the console that is one of several alike */
  readonly consolePartInFolder: {
    readonly params: {
      /** What they have in common. */
      readonly folder: string
      /** What the page refers to. */
      readonly name: string
    }
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** Is the process alive? */
  readonly live: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Live
  }
  /** Can it serve requests? */
  readonly ready: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: Ready
  }
  /** This description, for machines */
  readonly openapi: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: {
      readonly openapi: string
      readonly [name: string]: unknown
    }
  }
  /** This description, for people */
  readonly docs: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: string
  }
  /** This description, for Postman and Bruno */
  readonly postman: {
    readonly params: Record<never, never>
    readonly query: Record<never, never>
    readonly body: undefined
    readonly answer: {
      readonly info: {
        readonly [name: string]: unknown
      }
      readonly [name: string]: unknown
    }
  }
}

/** Where each is. */
export const places = {
  uploadFiles: { method: 'POST', path: '/files/upload' },
  describeResumableUploads: { method: 'OPTIONS', path: '/files/resumable' },
  beginResumableUpload: { method: 'POST', path: '/files/resumable' },
  listResumableUploads: { method: 'GET', path: '/files/resumable' },
  getResumableUpload: { method: 'GET', path: '/files/resumable/{resumable_upload_id}' },
  continueResumableUpload: { method: 'PATCH', path: '/files/resumable/{resumable_upload_id}' },
  dropResumableUpload: { method: 'DELETE', path: '/files/resumable/{resumable_upload_id}' },
  getUpload: { method: 'GET', path: '/files/upload/{batch_upload_id}' },
  listFiles: { method: 'GET', path: '/files' },
  deleteFiles: { method: 'DELETE', path: '/files' },
  getFileAudio: { method: 'GET', path: '/files/{file_id}/audio' },
  getSessionTurns: { method: 'GET', path: '/files/{file_id}/turns' },
  submitBatch: { method: 'POST', path: '/transcribe/batch' },
  listBatches: { method: 'GET', path: '/transcribe/batches' },
  listTranscribedFiles: { method: 'GET', path: '/transcribe/files' },
  getCapacity: { method: 'GET', path: '/transcribe/capacity' },
  getUsage: { method: 'GET', path: '/usage' },
  renameBatch: { method: 'PATCH', path: '/transcribe/batch/{batch_id}' },
  deleteBatch: { method: 'DELETE', path: '/transcribe/batch/{batch_id}' },
  cancelBatch: { method: 'POST', path: '/transcribe/batch/{batch_id}/cancel' },
  cancelFiles: { method: 'POST', path: '/transcribe/batch/{batch_id}/cancel_files' },
  retryBatch: { method: 'POST', path: '/transcribe/batch/{batch_id}/retry' },
  retryFiles: { method: 'POST', path: '/transcribe/batch/{batch_id}/retry_files' },
  getBatchStatus: { method: 'GET', path: '/transcribe/status/batch/{batch_id}' },
  getFileStatus: { method: 'GET', path: '/transcribe/status/file/{file_id}' },
  watchBatch: { method: 'GET', path: '/transcribe/events/batch/{batch_id}' },
  getBatchResults: { method: 'GET', path: '/transcribe/results/batch/{batch_id}' },
  getFileResult: { method: 'GET', path: '/transcribe/results/file/{file_id}' },
  editFileResult: { method: 'PATCH', path: '/transcribe/results/file/{file_id}' },
  getUnredactedResult: { method: 'GET', path: '/transcribe/results/file/{file_id}/unredacted' },
  getInquiryOffer: { method: 'GET', path: '/transcribe/inquiries' },
  askInquiry: { method: 'POST', path: '/transcribe/results/file/{file_id}/inquiries' },
  listInquiries: { method: 'GET', path: '/transcribe/results/file/{file_id}/inquiries' },
  deleteInquiry: { method: 'DELETE', path: '/transcribe/results/file/{file_id}/inquiries/{inquiry_id}' },
  transcribeAgain: { method: 'POST', path: '/transcribe/results/file/{file_id}/again' },
  makeShareLink: { method: 'POST', path: '/transcribe/results/file/{file_id}/share_links' },
  listShareLinks: { method: 'GET', path: '/transcribe/results/file/{file_id}/share_links' },
  revokeShareLink: { method: 'DELETE', path: '/transcribe/results/file/{file_id}/share_links/{link_id}' },
  readShared: { method: 'GET', path: '/shared/result' },
  getSharedAudio: { method: 'GET', path: '/shared/audio' },
  downloadBatch: { method: 'GET', path: '/transcribe/download/batch/{batch_id}' },
  evaluate: { method: 'POST', path: '/transcribe/evaluate' },
  search: { method: 'GET', path: '/search' },
  createVocabulary: { method: 'POST', path: '/vocabularies' },
  listVocabularies: { method: 'GET', path: '/vocabularies' },
  readVocabulary: { method: 'GET', path: '/vocabularies/{vocabulary_id}' },
  changeVocabulary: { method: 'PATCH', path: '/vocabularies/{vocabulary_id}' },
  deleteVocabulary: { method: 'DELETE', path: '/vocabularies/{vocabulary_id}' },
  getWebhookSecret: { method: 'GET', path: '/transcribe/webhooks/secret' },
  getWebhookStatus: { method: 'GET', path: '/transcribe/webhooks/batch/{batch_id}' },
  sendWebhookAgain: { method: 'POST', path: '/transcribe/webhooks/batch/{batch_id}/send' },
  alignText: { method: 'POST', path: '/transcribe/align' },
  createTranscription: { method: 'POST', path: '/v1/audio/transcriptions' },
  createTranslation: { method: 'POST', path: '/v1/audio/translations' },
  listModels: { method: 'GET', path: '/v1/models' },
  readModel: { method: 'GET', path: '/v1/models/{model_id}' },
  speak: { method: 'POST', path: '/v1/audio/speech' },
  listVoices: { method: 'GET', path: '/v1/voices' },
  voiceSample: { method: 'GET', path: '/v1/voices/{voice_id}/sample' },
  listPronunciations: { method: 'GET', path: '/pronunciations' },
  putPronunciations: { method: 'PUT', path: '/pronunciations' },
  makeClientSecret: { method: 'POST', path: '/v1/realtime/client_secrets' },
  makeSession: { method: 'POST', path: '/v1/realtime/sessions' },
  makeTranscriptionSession: { method: 'POST', path: '/v1/realtime/transcription_sessions' },
  openCall: { method: 'POST', path: '/v1/realtime/calls' },
  openOlderCall: { method: 'POST', path: '/v1/realtime' },
  hangUpCall: { method: 'POST', path: '/v1/realtime/calls/{call_id}/hangup' },
  listApiKeys: { method: 'GET', path: '/v1/keys' },
  makeApiKey: { method: 'POST', path: '/v1/keys' },
  rotateApiKey: { method: 'POST', path: '/v1/keys/{key_id}/rotate' },
  revokeApiKey: { method: 'DELETE', path: '/v1/keys/{key_id}' },
  getPublicKeys: { method: 'GET', path: '/.well-known/jwks.json' },
  realtimePlace: { method: 'GET', path: '/console/realtime' },
  signIn: { method: 'GET', path: '/console/sign-in' },
  console: { method: 'GET', path: '/' },
  sharedPage: { method: 'GET', path: '/shared' },
  consolePart: { method: 'GET', path: '/console/{name}' },
  consolePartInFolder: { method: 'GET', path: '/console/{folder}/{name}' },
  live: { method: 'GET', path: '/healthz' },
  ready: { method: 'GET', path: '/readyz' },
  openapi: { method: 'GET', path: '/openapi.json' },
  docs: { method: 'GET', path: '/docs' },
  postman: { method: 'GET', path: '/docs/postman.json' },
} as const satisfies Record<keyof Operations, { readonly method: string; readonly path: string }>
