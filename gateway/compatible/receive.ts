import type { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { FailureError } from '../../actors/failure.ts'
import type { FileId } from '../../actors/ids.ts'
import type { Manifest, RejectedFile } from '../../actors/upload/state.ts'
import { check } from '../check.ts'
import { keepFiles, receiveFiles } from '../files/intake.ts'
import type { IntakePorts } from '../files/intake.ts'
import { openMultipart } from '../files/multipart.ts'
import { watchPace } from '../files/pace.ts'
import type { PaceLimits } from '../files/pace.ts'
import { estimatedSecondsOf } from '../files/present.ts'
import type { Request } from '../route.ts'
import { FormFields } from './form.ts'

export type ReceivePorts = IntakePorts

export interface ReceiveLimits extends PaceLimits {
  readonly maxFileBytes: number
  readonly maxSeconds: number
}

/** What comes with the recording. */
interface ReceivedForm<Form> {
  readonly schema: z.ZodType<Form>
  /** Of one field. */
  readonly fieldMaxBytes: number
  /** Throws where fields do not go together. */
  readonly refuse?: (form: Form) => void
}

interface Received<Form> {
  readonly form: Form
  readonly fileId: FileId
}

const fileField = 'file'
const fieldsMax = 32
/** Of everything in the form that is not the recording. */
const restMaxBytes = 1024 * 1024

/** One recording with its form, kept like an upload of one file. */
export async function receiveRecording<Form>(
  ports: ReceivePorts,
  limits: ReceiveLimits & { readonly form: ReceivedForm<Form> },
  request: Request,
): Promise<Received<Form>> {
  const startedMs = ports.clock.elapsedMs()
  const fields = new FormFields()
  const { maxFileBytes } = limits
  const { schema, fieldMaxBytes, refuse } = limits.form
  const bounds = { maxFiles: 1, maxFileBytes, maxRequestBytes: maxFileBytes + restMaxBytes }
  const onField = (name: string, value: string): void => fields.add(name, value)
  const multipart = openMultipart(request.raw.request, bounds, { fileField, fieldsMax, fieldMaxBytes, onField })
  const uploadId = ports.ids.nextUploadId()
  const { owner } = request.principal
  const reception = await ports.receiving.receive({ uploadId, owner, expectedBytes: multipart.declaredBytes })
  const stopWatching = watchPace(request.raw.request, limits, (reason) => multipart.refuse(reason))
  try {
    const { files, rejected } = await receiveFiles(ports, { request, uploadId, multipart, reception, isApart: true })
    stopWatching()
    const [file] = files
    if (!file) throw nothingReceived(rejected)
    const form = check('body', schema, { ...fields.toObject(), file: file.filename })
    refuse?.(form)
    refuseLong(estimatedSecondsOf(file), limits)
    const spoolSeconds = Math.round(ports.clock.elapsedMs() - startedMs) / 1000
    const facts = { uploadId, owner, acceptedAtMs: ports.clock.nowMs(), spoolSeconds }
    const manifest: Manifest = { ...facts, rejected: [], fingerprint: file.sha256, files: [file] }
    await keepFiles(ports, manifest, reception)
    return { form, fileId: file.fileId }
  } finally {
    stopWatching()
    await reception.discard()
  }
}

function nothingReceived([refused]: readonly RejectedFile[]): FailureError {
  if (!refused) return terminal('invalid_request', `The form has no part named \`${fileField}\`.`)
  return terminal(refused.isTooLarge ? 'too_large' : 'invalid_request', refused.reason)
}

function refuseLong(seconds: number, { maxSeconds }: ReceiveLimits): void {
  if (seconds > maxSeconds)
    throw terminal(
      'too_large',
      `The recording lasts ${Math.round(seconds)} seconds, and the limit here is ${maxSeconds}. Submit it as a batch.`,
    )
}
