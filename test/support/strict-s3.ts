/**
 * s3rver behind a door that asks of multipart uploads as S3 itself does and s3rver does not: parts
 * of 5 MiB but for the last, in order, by their tags, of an upload that is still open. As R2 and
 * Garage do, it wants all parts but the last to have one length. It also knows how to list and
 * abort them, counts bytes, and lets a test hold a request or answer it with a failure.
 */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as openRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { freePort } from './app.ts'

type Step = 'begin' | 'part' | 'complete' | 'other'

export interface StrictS3 {
  endpoint: string
  bucket: string
  /** Multipart uploads that are neither completed nor aborted, by id. */
  open: Map<string, { key: string; parts: Map<number, { etag: string; bytes: number }> }>
  /** Bytes written to the store so far, in parts and as objects. */
  writtenBytes: number
  /** Runs before a request goes through; `false` answers it with a failure. */
  before: (step: Step) => Promise<boolean> | boolean
  [Symbol.asyncDispose](): Promise<void>
  close(): Promise<void>
}

const minPartBytes = 5 * 1024 ** 2

const bucket = 'library'

/** As it comes, with one empty bucket. */
export async function startS3(): Promise<{ port: number; bucket: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'cutindex-s3-'))
  const port = await freePort()
  const store = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  await store.run()
  const stop = async (): Promise<void> => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
  return { port, bucket, stop }
}

export async function startStrictS3(): Promise<StrictS3> {
  const store = await startS3()
  const { bucket, port } = store
  const door = createServer((request, response) => {
    void answer(strict, port, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => {
    door.listen(0, '127.0.0.1', resolve)
  })
  const close = async (): Promise<void> => {
    door.closeAllConnections()
    door.close()
    await store.stop()
  }
  const strict: StrictS3 = {
    endpoint: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    bucket,
    open: new Map(),
    writtenBytes: 0,
    before: () => true,
    close,
    [Symbol.asyncDispose]: close,
  }
  return strict
}

async function answer(
  strict: StrictS3,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'))
  const id = searchParams.get('uploadId')
  const number = Number(searchParams.get('partNumber'))
  const isBegin = request.method === 'POST' && searchParams.has('uploads')
  const step = stepOf(request.method ?? '', isBegin, id)
  if (!(await strict.before(step))) return refuse(response, 400, 'TestFailure')
  if (request.method === 'GET' && searchParams.has('uploads')) {
    return listOpen(strict, response, searchParams.get('prefix') ?? '')
  }
  const upload = id === null ? undefined : strict.open.get(id)
  if (id !== null && !upload) {
    await bodyOf(request)
    return refuse(response, 404, 'NoSuchUpload')
  }
  if (id !== null && request.method === 'DELETE') {
    strict.open.delete(id)
    response.writeHead(204).end()
    return
  }
  const body = await bodyOf(request)
  if (request.method === 'PUT') strict.writtenBytes += body.length
  if (upload && step === 'complete') {
    const fault = faultOf(body.toString(), upload.parts)
    if (fault) return refuse(response, 400, fault)
  }
  const passed = await pass(port, request, body)
  if (isBegin) {
    const begun = /<UploadId>([^<]+)</.exec(passed.body.toString())?.[1] ?? ''
    strict.open.set(begun, { key, parts: new Map() })
  }
  if (upload && step === 'part') {
    upload.parts.set(number, { etag: String(passed.headers.etag), bytes: body.length })
  }
  if (id !== null && step === 'complete') strict.open.delete(id)
  response.writeHead(passed.status, passed.headers).end(passed.body)
}

function stepOf(method: string, isBegin: boolean, id: string | null): Step {
  if (isBegin) return 'begin'
  if (id === null || method === 'DELETE') return 'other'
  return method === 'PUT' ? 'part' : 'complete'
}

function faultOf(
  xml: string,
  sent: ReadonlyMap<number, { etag: string; bytes: number }>,
): string | null {
  const named = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: (/<ETag>(.*?)<\/ETag>/s.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }))
  for (const [at, { number, etag }] of named.entries()) {
    const part = sent.get(number)
    if (part?.etag !== etag) return 'InvalidPart'
    if (at > 0 && number <= (named[at - 1]?.number ?? 0)) return 'InvalidPartOrder'
    if (at < named.length - 1 && part.bytes < minPartBytes) return 'EntityTooSmall'
    // As R2 and Garage demand: equal lengths, and a last part that is not larger.
    const firstBytes = sent.get(named[0]?.number ?? 0)?.bytes ?? 0
    const isLast = at === named.length - 1
    if (isLast ? part.bytes > firstBytes : part.bytes !== firstBytes) return 'InvalidPart'
  }
  return named.length === 0 ? 'MalformedXML' : null
}

function listOpen(strict: StrictS3, response: ServerResponse, prefix: string): void {
  const uploads = [...strict.open]
    .filter(([, { key }]) => key.startsWith(prefix))
    .map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
  const xml = `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`
  response.writeHead(200, { 'content-type': 'application/xml' }).end(xml)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function pass(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }> {
  const passed = openRequest({ host: '127.0.0.1', port, method, path: url, headers })
  passed.end(body)
  const [answered] = (await once(passed, 'response')) as [IncomingMessage]
  const { statusCode = 0 } = answered
  return { status: statusCode, headers: answered.headers, body: await bodyOf(answered) }
}
