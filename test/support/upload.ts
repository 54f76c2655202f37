/** Files sent to the library in one request, as a form sends them. */
import assert from 'node:assert/strict'
import type { ContentItem } from '../../contract/footage/content.ts'
import type { ErrorAnswer } from '../../contract/refusal.ts'

type Bytes = Uint8Array | string

/** Answer to an upload, with its status. */
export type UploadAnswer = { status: number; content?: ContentItem } & Partial<ErrorAnswer>

interface Form {
  token: string
  bytes: Bytes
  name: string
  /** The project that the item is added to. */
  projectId?: string
  idempotencyKey?: string
}

export function postFile(service: { url: string }, form: Form): Promise<Response> {
  const body = new FormData()
  body.set('file', new Blob([form.bytes as Uint8Array<ArrayBuffer>]), form.name)
  const headers = new Headers({ authorization: `Bearer ${form.token}` })
  if (form.idempotencyKey) headers.set('idempotency-key', form.idempotencyKey)
  const query = form.projectId === undefined ? '' : `?project_id=${form.projectId}`
  return fetch(`${service.url}/v1/content/upload${query}`, { method: 'POST', headers, body })
}

export async function tryUpload(service: { url: string }, form: Form): Promise<UploadAnswer> {
  const answer = await postFile(service, form)
  return { status: answer.status, ...((await answer.json()) as object) }
}

export async function uploadFile(
  service: { url: string },
  token: string,
  bytes: Bytes,
  name = 'clip.mp4',
): Promise<ContentItem> {
  const { status, content } = await tryUpload(service, { token, bytes, name })
  assert.equal(status, 201)
  return content!
}
