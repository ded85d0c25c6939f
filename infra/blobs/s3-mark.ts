import { GetObjectCommand } from '@aws-sdk/client-s3'

import { markName } from './identity.ts'
import type { MarkAccess } from './identity.ts'
import { openBody } from './s3-body.ts'
import { classify, isMissing } from './s3-classify.ts'
import { connectS3 } from './s3-client.ts'
import type { S3Options } from './s3-client.ts'
import { checkTimeoutMs } from './s3-limits.ts'
import { uploadObject } from './s3-upload.ts'
import type { S3Store } from './s3-upload.ts'

export function s3Mark(store: S3Store, prefix: string): MarkAccess {
  const key = prefix + markName
  const read = async (signal?: AbortSignal): Promise<string | undefined> => {
    try {
      const { Body } = await store.client.send(
        new GetObjectCommand({ Bucket: store.bucket, Key: key }),
        signal ? { abortSignal: signal } : {},
      )
      return (await Body?.transformToString())?.trim()
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }
  return {
    place: `s3://${store.bucket}/${key}`,
    read,
    async create(name) {
      const body = await openBody({ bytes: Buffer.from(name) })
      await uploadObject(store, { key, body, ifAbsent: true })
      return (await read()) ?? name
    },
  }
}

/** What the store in this bucket is known by; nothing is made. */
export async function readS3Mark(options: S3Options): Promise<string | undefined> {
  const { bucket, prefix = '', log } = options
  const client = connectS3(options)
  try {
    return await s3Mark({ client, bucket, log }, prefix).read(AbortSignal.timeout(checkTimeoutMs))
  } catch (error) {
    throw classify(error)
  } finally {
    client.destroy()
  }
}
