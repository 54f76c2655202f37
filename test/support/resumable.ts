/** Resumable uploads as a client of tus sends them. */
import assert from 'node:assert/strict'
import { request as openRequest } from 'node:http'
import type { TestServer, TestUser } from './app.ts'

export const tus = { 'tus-resumable': '1.0.0' }

/** The address of a new upload. */
export async function begin(
  server: TestServer,
  { token }: TestUser,
  sizeBytes: number,
): Promise<string> {
  const metadata = `filename ${Buffer.from('rushes.mov').toString('base64')}`
  const headers = { ...tus, 'upload-length': String(sizeBytes), 'upload-metadata': metadata }
  const begun = await server.fetch('/v1/content/resumable', { method: 'POST', token, headers })
  assert.equal(begun.status, 201)
  return begun.headers.get('location') ?? ''
}

function headersOf({ token }: TestUser, offset: number) {
  return {
    ...tus,
    authorization: `Bearer ${token}`,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  }
}

export function send(
  user: TestUser,
  url: string,
  offset: number,
  bytes: Uint8Array,
): Promise<Response> {
  const body = bytes as Uint8Array<ArrayBuffer>
  return fetch(url, { method: 'PATCH', headers: headersOf(user, offset), body })
}

/** Sends bytes of a PATCH that announces one more, then cuts the connection. */
export async function sendAndBreak(
  user: TestUser,
  url: string,
  { offset, bytes }: { offset: number; bytes: Uint8Array },
  untilArrived: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const headers = { ...headersOf(user, offset), 'content-length': String(bytes.length + 1) }
  const request = openRequest(url, { method: 'PATCH', headers })
  request.on('error', () => undefined)
  await new Promise((resolve) => {
    request.write(bytes, resolve)
  })
  await untilArrived()
  request.destroy()
}

export function head({ token }: TestUser, url: string): Promise<Response> {
  return fetch(url, { method: 'HEAD', headers: { ...tus, authorization: `Bearer ${token}` } })
}

export function cancel({ token }: TestUser, url: string): Promise<Response> {
  return fetch(url, { method: 'DELETE', headers: { ...tus, authorization: `Bearer ${token}` } })
}
