import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import type { Listing } from '../../actors/listing/ports.ts'
import type { Records } from '../../actors/ports.ts'
import type { FileRecords } from '../../actors/upload/ports.ts'
import { isVisible, isWithdrawn } from '../../actors/upload/state.ts'
import type { Upload, UploadRecord, UploadedFile, VisibleFile } from '../../actors/upload/state.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badQuery, badToken, dependencyAway, failure, uploadIdField } from '../wire.ts'
import { presentListed, presentUpload } from './present.ts'
import { listPage, listQuery, uploadStatus } from './schemas.ts'

export interface ReadPorts {
  readonly uploadRecords: Records<UploadRecord>
  readonly fileRecords: FileRecords
  readonly listing: Listing
}

export function uploadStatusRoute(ports: ReadPorts): Route {
  return route({
    method: 'get',
    path: '/files/upload/{batch_upload_id}',
    id: 'getUpload',
    summary: 'Watch an upload',
    description: 'How far the files of one upload request are. Deleted files are left out.',
    access: 'user',
    params: z.strictObject({ batch_upload_id: uploadIdField }),
    query: z.strictObject({}),
    responses: {
      200: { description: 'The upload and its files.', schema: uploadStatus },
      400: badQuery,
      401: badToken,
      404: { description: 'There is no such upload of yours.', schema: failure },
      503: dependencyAway,
    },
    async handle({ principal, params }) {
      const upload = (await ports.uploadRecords.read(params.batch_upload_id))?.value
      const files = upload?.owner === principal.owner ? await visible(ports, upload.fileIds) : []
      if (!upload || isWithdrawn(upload) || files.length === 0) throw terminal('not_found', 'upload not found')
      return { status: 200, body: presentUpload(upload, files) }
    },
  })
}

export function listFilesRoute(ports: ReadPorts): Route {
  return route({
    method: 'get',
    path: '/files',
    id: 'listFiles',
    summary: 'List files',
    description: 'All your files, of all uploads, newest first.',
    access: 'user',
    params: z.strictObject({}),
    query: listQuery,
    responses: {
      200: { description: 'One page of files.', schema: listPage },
      400: { description: 'A query parameter is wrong.', schema: failure },
      401: badToken,
      503: dependencyAway,
    },
    async handle({ principal, query }) {
      const { page, limit, upload_status: status } = query
      const found = await ports.listing.page(principal.owner, { offset: (page - 1) * limit, limit, status })
      const files = await visible(ports, found.fileIds)
      // the listing may be a moment behind the record; a filter must not show what no longer matches it
      const shown = files.filter((file) => status === undefined || file.status === status)
      return {
        status: 200,
        body: {
          page,
          limit,
          total_pages: Math.ceil(found.total / limit),
          total_files: found.total,
          count: shown.length,
          files: shown.map(presentListed),
        },
      }
    },
  })
}

/** Of these files those that callers may see, in the same order. */
export async function visible(
  ports: Pick<ReadPorts, 'fileRecords'>,
  fileIds: Upload['fileIds'],
): Promise<VisibleFile[]> {
  const found = await ports.fileRecords.readMany(fileIds)
  return fileIds
    .map((fileId) => found.get(fileId))
    .filter((file): file is UploadedFile => file !== undefined)
    .filter(isVisible)
}
