/** The quota of an account, held against uploads that are under way together. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { startTestServer } from '../support/app.ts'
import type { TestServer } from '../support/app.ts'
import { until } from '../support/until.ts'

test('uploads at the same time never get more room than the quota has', async () => {
  const fileBytes = 300_000
  await using strict = await startTestServer({
    environment: { MAX_UPLOAD_BYTES: '400000', ACCOUNT_QUOTA_BYTES: '1000000' },
  })
  const begun = await strict.user()
  const begin = (): Promise<Response> =>
    strict.fetch('/v1/content/resumable', {
      method: 'POST',
      token: begun.token,
      headers: { 'tus-resumable': '1.0.0', 'upload-length': String(fileBytes) },
    })
  const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await begin()).status))
  assert.equal(statuses.filter((status) => status === 201).length, 3, String(statuses))
  assert.ok(statuses.every((status) => status === 201 || status === 413))

  // Plain ones are all under way at once, before one of them is whole.
  for (const isLengthKnown of [true, false]) {
    const user = await strict.user()
    const uploads = Array.from({ length: 10 }, () =>
      openUpload(strict, user.token, { fileBytes, isLengthKnown }),
    )
    for (const upload of uploads) upload.sendFirst()
    let refused = 0
    for (const upload of uploads) {
      void upload.status.then((status) => (refused += status === 413 ? 1 : 0))
    }
    await until(
      async () => refused,
      (count) => count >= (isLengthKnown ? 7 : 1),
    )
    for (const upload of uploads) upload.sendRest()
    const ends = await Promise.all(uploads.map((upload) => upload.status))
    const kept = ends.filter((status) => status === 201).length
    assert.ok(isLengthKnown ? kept === 3 : kept >= 1 && kept <= 3, String(ends))
    const { content } = await user.client.listContent({ query: {} })
    assert.equal(content.length, kept)
    const left = await strict.ctx.db
      .selectFrom('content_reservations')
      .select('id')
      .where('account_id', '=', user.accountId)
      .execute()
    assert.deepEqual(left, [], 'no room stays reserved')
  }
})

interface OpenUpload {
  status: Promise<number>
  /** Most of the file, but not all. */
  sendFirst(): void
  sendRest(): void
}

function openUpload(
  at: TestServer,
  token: string,
  { fileBytes, isLengthKnown }: { fileBytes: number; isLengthKnown: boolean },
): OpenUpload {
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n',
  )
  const form = Buffer.concat([head, randomBytes(fileBytes), Buffer.from('\r\n--b--\r\n')])
  const call = request(`${at.url}/v1/content/upload`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      ...(isLengthKnown ? { 'content-length': String(form.length) } : {}),
    },
  })
  const { promise: status, resolve } = Promise.withResolvers<number>()
  call.on('response', (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  // A refused upload may be cut while it is still being sent.
  call.on('error', () => resolve(0))
  const cut = form.length - 10_000
  return {
    status,
    sendFirst: () => void call.write(form.subarray(0, cut)),
    sendRest: () => void call.end(form.subarray(cut)),
  }
}
