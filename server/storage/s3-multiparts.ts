/** Multipart uploads of S3 that outlive a process: any holder of the id can send the next part. */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  NoSuchUpload,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import { StoreAway } from '../ground/storage.ts'
import type { Multiparts } from '../ground/storage.ts'

export function openMultiparts(
  client: S3Client,
  nameOf: (key: string) => { Bucket: string; Key: string },
): Multiparts {
  return {
    async begin(key) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand(nameOf(key)))
        .catch(away)
      if (!UploadId) throw new Error('The store named no upload.')
      return UploadId
    },

    async put({ key, multipartId, number }, bytes) {
      const { ETag } = await client
        .send(
          new UploadPartCommand({
            ...nameOf(key),
            UploadId: multipartId,
            PartNumber: number,
            Body: bytes,
            ContentLength: bytes.length,
          }),
        )
        .catch(away)
      if (!ETag) throw new Error('The store gave the part no tag.')
      return ETag
    },

    async complete({ key, multipartId, sizeBytes }, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
      const command = new CompleteMultipartUploadCommand({
        ...nameOf(key),
        UploadId: multipartId,
        MultipartUpload: { Parts },
      })
      await client.send(command).catch(async (error: unknown) => {
        if (!isGone(error)) return away(error)
        // A process that died after it had completed the upload leaves the object.
        const { ContentLength } = await client.send(new HeadObjectCommand(nameOf(key))).catch(away)
        if (ContentLength !== sizeBytes) throw error
        return undefined
      })
    },

    async abort(key, multipartId) {
      await client
        .send(new AbortMultipartUploadCommand({ ...nameOf(key), UploadId: multipartId }))
        .catch((error: unknown) => {
          if (!isGone(error)) throw error
        })
    },
  }
}

function isGone(error: unknown): boolean {
  return error instanceof NoSuchUpload || (error as { name?: string }).name === 'NoSuchUpload'
}

/** Trying again would not help. */
const wrongParts = new Set(['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'EntityTooLarge'])

function away(cause: unknown): never {
  if (wrongParts.has((cause as { name?: string }).name ?? '')) throw cause
  throw new StoreAway('The file store does not answer.', { cause })
}
