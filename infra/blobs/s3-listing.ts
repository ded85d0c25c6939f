import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import type { _Object } from '@aws-sdk/client-s3'

import { pageKeys } from './s3-limits.ts'
import type { S3Store } from './s3-upload.ts'

/** Page by page, in the order of keys. */
export async function* pagesBelow({ client, bucket }: S3Store, prefix: string): AsyncIterable<readonly _Object[]> {
  let next: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: pageKeys, ContinuationToken: next }),
    )
    yield page.Contents ?? []
    next = page.IsTruncated ? page.NextContinuationToken : undefined
  } while (next !== undefined)
}
