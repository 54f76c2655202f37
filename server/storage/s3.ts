/**
 * Storage in any S3. A file is uploaded in parts from the local disk, so at most a few parts are in
 * memory; an upload that fails is aborted, and one whose process died is aborted with its key.
 * `s3://bucket/prefix?download=proxy` serves downloads through us instead of by signed addresses.
 */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import type { Readable } from 'node:stream'
import type { Config } from '../ground/config.ts'
import { newWorkFile } from './scratch.ts'
import { createDiskCheck, keepReserve } from './disk.ts'
import { openMultiparts } from './s3-multiparts.ts'
import { assertKey, ObjectNotFound, StoreAway } from '../ground/storage.ts'
import type { Stage, Storage, StoredObject } from '../ground/storage.ts'
import { writeBlocks } from './write-blocks.ts'

const partBytes = 16 * 1024 ** 2
const partsAtOnce = 2
/** A part is cut by a bad line now and then; the SDK sends it again. */
const attempts = 4
const maxSockets = 1000
const connectMs = 10_000

export async function openS3(config: Config): Promise<Storage> {
  const address = new URL(config.storageUrl)
  const bucket = address.hostname
  const prefix = address.pathname.replace(/^\/+|\/+$/g, '')
  const isProxied = address.searchParams.get('download') === 'proxy'
  const client = new S3Client({
    region: config.s3.region,
    maxAttempts: attempts,
    // A reader that pauses holds one, and those of others must not wait for it.
    requestHandler: {
      connectionTimeout: connectMs,
      httpAgent: { keepAlive: true, maxSockets },
      httpsAgent: { keepAlive: true, maxSockets },
    },
    // Many stores that speak S3 do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(config.s3.endpoint ? { endpoint: config.s3.endpoint, forcePathStyle: true } : {}),
  })
  const nameOf = (key: string): { Bucket: string; Key: string } => {
    assertKey(key)
    return { Bucket: bucket, Key: prefix ? `${prefix}/${key}` : key }
  }

  const publish = async (key: string, path: string): Promise<void> => {
    const upload = new Upload({
      client,
      params: { ...nameOf(key), Body: createReadStream(path, { highWaterMark: 1024 ** 2 }) },
      partSize: partBytes,
      queueSize: partsAtOnce,
      leavePartsOnError: false,
    })
    await upload.done().catch(away)
    await rm(path, { force: true })
  }

  const multiparts = openMultiparts(client, nameOf)
  const checkStaging = createDiskCheck(config.dataDir, config.diskReserveBytes)
  const storage: Storage = {
    async stage(key): Promise<Stage> {
      const path = await newWorkFile(config)
      return {
        path,
        commit: () => publish(key, path),
        discard: () => rm(path, { force: true }),
      }
    },

    putFile: publish,

    async read(key, range): Promise<Readable> {
      const Range = range ? `bytes=${range.first}-${range.last}` : undefined
      const { Body } = await client
        .send(new GetObjectCommand({ ...nameOf(key), Range }))
        .catch((error: unknown) => {
          if (error instanceof NoSuchKey) throw new ObjectNotFound(key)
          return away(error)
        })
      return Body as Readable
    },

    async appendTo(file, key) {
      await writeBlocks(await storage.read(key), file)
    },

    async localFile(key, options) {
      const path = await newWorkFile(config)
      const release = (): Promise<void> => rm(path, { force: true })
      try {
        const body = await storage.read(key)
        if (options?.signal) addAbortSignal(options.signal, body)
        await using file = await open(path, 'w')
        await writeBlocks(body, file)
      } catch (error) {
        await release()
        throw error
      }
      return { path, release }
    },

    async delete(key) {
      await abortUnfinished(client, nameOf(key))
      await client.send(new DeleteObjectCommand(nameOf(key)))
    },

    async *list(keyPrefix): AsyncIterable<StoredObject> {
      const whole = prefix ? `${prefix}/` : ''
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: whole + keyPrefix })
      for await (const page of pages) {
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          yield { key: Key.slice(whole.length), size: Size, modifiedAt: LastModified }
        }
      }
    },

    async downloadAddress(key, { disposition, lifeSeconds }) {
      if (isProxied) return null
      const command = new GetObjectCommand({
        ...nameOf(key),
        ResponseContentDisposition: disposition,
        ResponseContentType: 'application/octet-stream',
      })
      return getSignedUrl(client, command, { expiresIn: lifeSeconds })
    },

    // Files are staged on this machine's disk.
    keepReserve: (moreBytes) => keepReserve(config.dataDir, config.diskReserveBytes, moreBytes),

    async check() {
      const bucketAnswers = client.send(new HeadBucketCommand({ Bucket: bucket })).then(
        () => true,
        () => false,
      )
      return (await bucketAnswers) ? await checkStaging() : 'unreachable'
    },

    multiparts,
  }
  return storage
}

/** After all attempts: a caller gets the refusal, a worker tries the job again. */
function away(cause: unknown): never {
  throw new StoreAway('The file store does not answer.', { cause })
}

/** A process that died in the middle left parts that no listing of objects shows. */
async function abortUnfinished(
  client: S3Client,
  name: { Bucket: string; Key: string },
): Promise<void> {
  const { Uploads = [] } = await client
    .send(new ListMultipartUploadsCommand({ Bucket: name.Bucket, Prefix: name.Key }))
    .catch((error: { $metadata?: { httpStatusCode?: number } }) => {
      // Some stores cannot list unfinished uploads; their own rules of expiry clean up.
      if ([404, 405, 501].includes(error.$metadata?.httpStatusCode ?? 0)) return { Uploads: [] }
      throw error
    })
  for (const { Key, UploadId } of Uploads) {
    if (Key !== name.Key || !UploadId) continue
    await client.send(new AbortMultipartUploadCommand({ ...name, UploadId }))
  }
}
