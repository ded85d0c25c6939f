import { compactVerify, errors } from 'jose'
import type { LocalJWKSet } from 'jose'

import type { AudioDigest } from '../../actors/receipt/state.ts'
import { canonicalJson } from './canonical-json.ts'
import { compareTranscript } from './compare-transcript.ts'
import { receiptAlgorithm, receiptType } from './receipt-key.ts'
import type { ReceiptFinding, ReceivedFile } from './received-file.ts'

interface Evidence {
  readonly file: ReceivedFile
  /** Of the recording that the transcript is said to be of; absent: nobody asks. */
  readonly audio?: AudioDigest | undefined
  readonly keys: LocalJWKSet
}

/** Asks nobody: what the keys are, and that they are the service's, is the caller's to know. */
export async function verifyReceipt({ file, audio, keys }: Evidence): Promise<ReceiptFinding[]> {
  const { content } = file.receipt
  return [
    await checkSignature(file.receipt, keys),
    ...(audio ? [compareAudio(content.audio, audio)] : []),
    compareTranscript(file),
  ]
}

async function checkSignature({ content, jws }: ReceivedFile['receipt'], keys: LocalJWKSet): Promise<ReceiptFinding> {
  const broken = (sentence: string): ReceiptFinding => ({ what: 'signature', holds: false, sentence })
  const [head, detached, signature, ...rest] = jws.split('.')
  if (detached !== '' || signature === undefined || rest.length > 0)
    return broken('The receipt has no detached JWS (RFC 7515, appendix F).')
  const payload = Buffer.from(canonicalJson(content)).toString('base64url')
  try {
    const { protectedHeader } = await compactVerify(`${head}.${payload}.${signature}`, keys, {
      algorithms: [receiptAlgorithm],
    })
    if (protectedHeader.typ !== receiptType) return broken('What was signed is no receipt.')
    return { what: 'signature', holds: true, sentence: `The receipt was signed with the key ${protectedHeader.kid}.` }
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed)
      return broken('The receipt was changed after it was signed, or signed by somebody else.')
    if (error instanceof errors.JWKSNoMatchingKey)
      return broken('The receipt was signed with a key that is not in the key set.')
    return broken('The signature of the receipt cannot be read.')
  }
}

function compareAudio(told: AudioDigest, given: AudioDigest): ReceiptFinding {
  const holds = told.sha256 === given.sha256
  const sentence = holds
    ? `The recording is the one that was transcribed (sha256 ${told.sha256}).`
    : `The recording is another one: it has ${given.size_bytes} bytes with sha256 ${given.sha256}, and ${told.size_bytes} bytes with sha256 ${told.sha256} were transcribed.`
  return { what: 'audio', holds, sentence }
}
