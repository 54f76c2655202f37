/**
 * The peer of an upload into S3: `node:http`, a sha256, parts of 8 MiB by the same SDK, and the
 * object read back once into a file, as a look at it needs it.
 */
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const partBytes = 8 * 1024 ** 2

if (import.meta.main) {
  const [port = '0', path = '', endpoint = '', bucket = ''] = process.argv.slice(2)
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const name = { Bucket: bucket, Key: 'bare' }
  const server = createServer((request, response) => {
    void receive(request, response, { client, name, path })
  })
  server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  store: { client: S3Client; name: { Bucket: string; Key: string }; path: string },
): Promise<void> {
  const { client, name, path } = store
  const hash = createHash('sha256')
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(name))
  const parts: { PartNumber: number; ETag: string | undefined }[] = []
  const block = Buffer.allocUnsafeSlow(partBytes)
  let filled = 0
  const send = async (): Promise<void> => {
    const Body = block.subarray(0, filled)
    hash.update(Body)
    const part = { ...name, UploadId, PartNumber: parts.length + 1 }
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body }))
    parts.push({ PartNumber: part.PartNumber, ETag })
    filled = 0
  }
  for await (const chunk of request as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const copied = chunk.copy(block, filled, from)
      from += copied
      filled += copied
      if (filled === partBytes) await send()
    }
  }
  if (filled > 0) await send()
  await client.send(
    new CompleteMultipartUploadCommand({ ...name, UploadId, MultipartUpload: { Parts: parts } }),
  )
  const { Body } = await client.send(new GetObjectCommand(name))
  await pipeline(Body as Readable, createWriteStream(path))
  await rm(path)
  await client.send(new DeleteObjectCommand(name))
  response.end(hash.digest('hex'))
}
