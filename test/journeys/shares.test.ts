/** Links to a cut: seen, heard and commented on by anybody who has one, and by nobody else. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { before, test } from 'node:test'
import { newRange, strike } from '../../domain/cuts/cut-edit.ts'
import { cutTranscript, spokenText } from '../../domain/cuts/cut-text.ts'
import { cutFrames } from '../../domain/cuts/cut-times.ts'
import type { CutExportFormat } from '../../domain/export-formats.ts'
import type { ApiClient } from '../../contract/api.ts'
import { parseCutEdl, parseCutFcpxml, parseCutOtio, parseCutXmeml } from '../export-parsers/cut.ts'
import { openWorks } from '../support/job-app.ts'
import type { TestUser } from '../support/app.ts'
import { addClip } from '../support/library-clips.ts'
import { renderProxies } from '../support/share-proxies.ts'
import { use } from '../support/use.ts'

const works = use(openWorks)
let user: TestUser
/** Somebody without an account. */
let visitor: ApiClient
let cutId: string
let contentId: string
let jobId: string

before(async () => {
  const { server } = works
  user = await server.user('edda.lind@example.com')
  visitor = server.client(null)
  contentId = (await works.upload(user.token, works.clip)).id
  jobId = (await works.runJob(user, contentId, 'thumbnail')).id
  const { project } = await user.client.createProject({ body: { name: 'River' } })
  const words = await addClip(server, user, {
    name: 'B001.mov',
    frames: 200,
    words: [
      ['So', 0, 10],
      ['secret', 10, 20],
      ['fog', 20, 30],
      ['unused', 150, 160],
    ],
  })
  const spoken = newRange({ content_id: words.contentId, in: 0, out: 50, note: 'private note' })
  const { cut } = await user.client.createCut({
    body: {
      project_id: project.id,
      name: 'Opening, take 3',
      ranges: [
        ...strike([spoken], spoken.id, { in: 10, out: 20 }),
        newRange({ content_id: contentId, in: 25, out: 75 }),
        newRange({ content_id: words.contentId, in: 140, out: 170, disabled: true }),
      ],
    },
  })
  cutId = cut.id
})

async function share(body: { password?: string; expires_at?: string } = {}) {
  return user.client.createShare({ body: { cut_id: cutId, ...body } })
}

test('anybody with the link sees what plays, and nothing of the account', async () => {
  const { token, url } = await share()
  assert.equal(url, `${works.server.url}/shared/${token}`)
  const { shared } = await visitor.getShared({ params: { token }, query: {} })
  assert.deepEqual(
    [shared.kind, shared.name, shared.project_name, shared.shared_by, shared.version],
    ['cut', 'Opening, take 3', 'River', 'edda.lind', 1],
  )
  assert.deepEqual(
    shared.ranges.map((range) => [range.content_id, range.in, range.out]),
    [
      ['s1', 0, 10],
      ['s1', 20, 50],
      ['s2', 25, 75],
    ],
  )
  assert.equal(cutFrames(shared, shared.sources), 90)
  const text = cutTranscript(shared, shared.sources, shared.transcripts).map(spokenText)
  assert.deepEqual(text, ['So', 'fog', ''])
  const all = JSON.stringify(shared)
  for (const hidden of [cutId, contentId, jobId, user.accountId, user.email, 'secret', 'private']) {
    assert.ok(!all.includes(hidden), hidden)
  }
})

test('the proxy of a link plays by ranges, until the link is withdrawn', async () => {
  const { token, share: created } = await share()
  const { shared } = await visitor.getShared({ params: { token }, query: {} })
  assert.deepEqual([shared.proxy.state, shared.proxy.proxy], ['waiting', null])
  await renderProxies(works.server)
  const ready = (await visitor.getShared({ params: { token }, query: {} })).shared.proxy
  assert.deepEqual([ready.state, ready.proxy?.frames], ['ready', 90])
  const address = ready.proxy?.url ?? ''
  const part = await fetch(address, { headers: { range: 'bytes=0-99' } })
  assert.deepEqual([part.status, (await part.bytes()).length], [206, 100])
  for (const other of [
    address.replace(/[^/]+(?=\/[^/]+$)/, 's1'),
    address.replace(/[^/]+(?=\/[^/]+$)/, jobId),
    address.replace(/[^/]+$/, 'poster.exe'),
  ]) {
    assert.equal((await fetch(other)).status, 404, other)
  }
  const { share: gone } = await user.client.revokeShare({ params: { id: created.id } })
  assert.ok(gone.revoked_at)
  const after = await fetch(address)
  assert.equal(after.status, 410)
  await assert.rejects(visitor.getShared({ params: { token }, query: {} }), (error) => {
    const { code, message } = error as { code: string; message: string }
    assert.deepEqual([code, message], ['gone', 'edda.lind has revoked this link.'])
    return true
  })
  await assert.rejects(visitor.listSharedComments({ params: { token }, query: {} }), {
    code: 'gone',
  })
})

test('a link ends when it says, and never lives longer than a year', async () => {
  const day = 24 * 3_600_000
  const at = (days: number): string => new Date(Date.now() + days * day).toISOString()
  const { token } = await share({ expires_at: at(2) })
  works.server.clock.offsetMs = 3 * day
  await assert.rejects(visitor.getShared({ params: { token }, query: {} }), /has ended.*edda\.lind/)
  works.server.clock.offsetMs = 0
  for (const expires of [at(-1), at(400)]) {
    await assert.rejects(share({ expires_at: expires }), { code: 'invalid' })
  }
  await assert.rejects(user.client.createShare({ body: {} }), { code: 'invalid' })
})

test('a link that nobody made opens nothing', async () => {
  for (const token of ['x', 'A'.repeat(43), '../cuts']) {
    const answer = await works.server.fetch(`/v1/shares/${encodeURIComponent(token)}`)
    assert.equal(answer.status, 404)
  }
})

test('a password is asked for, and guessing is slowed down', async () => {
  const { token } = await share({ password: 'river bank' })
  const params = { token }
  await assert.rejects(visitor.getShared({ params, query: {} }), { code: 'forbidden' })
  await assert.rejects(visitor.openShare({ params, body: { password: 'sea!' } }), {
    code: 'forbidden',
  })
  const { pass } = await visitor.openShare({ params, body: { password: 'river bank' } })
  const { shared } = await visitor.getShared({ params, query: { pass } })
  assert.equal(shared.name, 'Opening, take 3')
  await renderProxies(works.server)
  const { shared: ready } = await visitor.getShared({ params, query: { pass } })
  const poster = ready.proxy.poster_url ?? ''
  assert.equal((await fetch(poster)).status, 200)
  assert.equal((await fetch(poster.replace(/\?.*/, ''))).status, 403)
  const other = await share({ password: 'river bank' })
  await assert.rejects(visitor.getShared({ params: { token: other.token }, query: { pass } }), {
    code: 'forbidden',
  })
  const tries = await Promise.allSettled(
    Array.from({ length: 15 }, () => visitor.openShare({ params, body: { password: 'guess' } })),
  )
  const codes = tries.map((attempt) => (attempt as { reason: { code: string } }).reason.code)
  assert.ok(codes.includes('rate_limited'))
})

test('wrong passwords of strangers lock out nobody else, and readers never', async () => {
  const { token } = await share({ password: 'river bank' })
  const open = async (password: string, from: string): Promise<number> => {
    const body = JSON.stringify({ password })
    const call = request(`${works.server.url}/v1/shares/${token}/open`, {
      method: 'POST',
      localAddress: from,
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    }).end(body)
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode ?? 0
  }
  const guess = (from: string) => Promise.all(Array.from({ length: 15 }, () => open('guess', from)))
  assert.equal(await open('river bank', '127.0.0.2'), 200)
  assert.ok((await guess('127.0.0.9')).includes(429), 'one that guesses is slowed down')
  assert.equal(await open('river bank', '127.0.0.3'), 200, 'and keeps nobody else out')
  for (let last = 10; last < 22; last += 1) await guess(`127.0.0.${last}`)
  assert.equal(await open('guess', '127.0.0.30'), 429, 'a crowd that guesses is slowed down')
  for (const reader of ['127.0.0.2', '127.0.0.3']) {
    assert.equal(await open('river bank', reader), 200, 'and keeps out no reader')
  }
  assert.ok((await guess('127.0.0.2')).includes(429), 'from where nobody may guess either')
})

test('right passwords count for nothing, so a whole audience comes in', async () => {
  const { token } = await share({ password: 'river bank' })
  for (let seat = 0; seat < 25; seat += 1) {
    await visitor.openShare({ params: { token }, body: { password: 'river bank' } })
  }
})

test('comments are plain text, changed for ten minutes, answered, done and deleted', async () => {
  const { token } = await share()
  const params = { token }
  const text = '<img src=x onerror=alert(1)> <script>alert(2)</script>'
  const { comment, device_secret: secret } = await visitor.addSharedComment({
    params,
    query: {},
    body: { name: 'Ines <b>Park</b>', text, at: 30, out: 60, version: 1 },
  })
  assert.deepEqual([comment.text, comment.at, comment.out], [text, 30, 60])
  const edit = (device_secret: string) =>
    visitor.editSharedComment({
      params: { token, comment_id: comment.id },
      query: {},
      body: { text: 'Hold the fog', device_secret },
    })
  await assert.rejects(edit('not mine'), { code: 'not_found' })
  assert.equal((await edit(secret)).comment.text, 'Hold the fog')
  works.server.clock.offsetMs = 11 * 60_000
  await assert.rejects(edit(secret), { code: 'conflict' })
  works.server.clock.offsetMs = 0
  const { comment: answer } = await user.client.replyToComment({
    params: { id: comment.id },
    body: { text: 'Done in version 2' },
  })
  assert.deepEqual(
    [answer.name, answer.is_editor, answer.reply_to],
    ['edda.lind', true, comment.id],
  )
  await user.client.updateComment({ params: { id: comment.id }, body: { done: true } })
  const { comments } = await visitor.listSharedComments({ params, query: {} })
  assert.deepEqual(
    comments.map((comment) => [comment.text, comment.done, comment.is_editor]),
    [
      ['Hold the fog', true, false],
      ['Done in version 2', false, true],
    ],
  )
  await user.client.deleteComment({ params: { id: comment.id } })
  assert.deepEqual((await visitor.listSharedComments({ params, query: {} })).comments, [])
  for (const body of [
    { name: ' ', text: 'x', at: 0, version: 1 },
    { name: 'A', text: ' ', at: 0, version: 1 },
    { name: 'A', text: 'x', at: 9, out: 9, version: 1 },
    { name: 'A', text: 'x', at: -1, version: 1 },
    { name: 'A', text: 'x'.repeat(4001), at: 0, version: 1 },
  ]) {
    await assert.rejects(visitor.addSharedComment({ params, query: {}, body }), { code: 'invalid' })
  }
})

test('a flood of comments is refused', async () => {
  const { token } = await share()
  const flood = await Promise.allSettled(
    Array.from({ length: 40 }, (_, at) =>
      visitor.addSharedComment({
        params: { token },
        query: {},
        body: { name: 'Flood', text: 'x', at, version: 1 },
      }),
    ),
  )
  const refused = flood.filter((item) => item.status === 'rejected')
  assert.ok(refused.length >= 5 && refused.length < 40)
  assert.equal((refused[0] as { reason: { code: string } }).reason.code, 'rate_limited')
})

test('a comment is a marker in every export that has markers', async () => {
  const { cut } = await user.client.createCut({
    body: {
      project_id: (await user.client.createProject({ body: { name: 'Markers' } })).project.id,
      name: 'Marked',
      ranges: [newRange({ content_id: contentId, in: 10, out: 60 })],
    },
  })
  const { token } = await user.client.createShare({ body: { cut_id: cut.id } })
  await visitor.addSharedComment({
    params: { token },
    query: {},
    body: { name: 'Ines', text: 'Jump & cut', at: 20, version: 1 },
  })
  const exported = async (format: CutExportFormat): Promise<string> => {
    const path = `/v1/cuts/${cut.id}/export?format=${format}&comments=true`
    const answer = await works.server.fetch(path, { token: user.token })
    assert.equal(answer.status, 200, format)
    return answer.text()
  }
  const reel = new Map([['CLIP', { start: '01:00:00:00', fps: 25 }]])
  const read = {
    edl: parseCutEdl(await exported('edl'), 25, reel),
    fcpxml: parseCutFcpxml(await exported('fcpxml')),
    xml: parseCutXmeml(await exported('xml')),
    otio: parseCutOtio(await exported('otio')),
  }
  for (const [format, parsed] of Object.entries(read)) {
    assert.equal(parsed.markers.length, 1, format)
    assert.equal(parsed.markers[0]?.at, 20, format)
    assert.match(parsed.markers[0]?.text ?? '', /Jump & cut$/, format)
    assert.deepEqual(
      parsed.edits.map((edit) => [edit.sourceIn, edit.recordIn, edit.recordOut]),
      [[10, 0, 50]],
      format,
    )
  }
  const avid = await exported('avid-markers')
  assert.match(avid, /^Ines\t01:00:00:20\tV1\tyellow\tJump & cut\t1\r\n$/)
  assert.match(
    await exported('resolve-markers'),
    /Ines \|C:ResolveColorYellow \|M:Jump & cut \|D:1/,
  )
  assert.match(await exported('csv'), /comment,1,Ines,Jump & cut,.*,01:00:00:20,/)

  const { id: _, project_id: __, created_at: ___, updated_at: ____, ...body } = cut
  const ranges = [
    newRange({ content_id: contentId, in: 80, out: 90 }),
    ...strike(cut.ranges, cut.ranges[0]!.id, { in: 12, out: 17 }),
  ]
  await user.client.saveCut({ params: { id: cut.id }, body: { ...body, ranges } })
  const { comments } = await visitor.listSharedComments({ params: { token }, query: {} })
  assert.deepEqual([comments[0]?.at, comments[0]?.now_at], [20, 25], 'it follows its picture')
  assert.equal(parseCutOtio(await exported('otio')).markers[0]?.at, 25)
})

test('the review of a clip is shared as that one clip', async () => {
  const { token } = await user.client.createShare({ body: { job_id: jobId } })
  const { shared } = await visitor.getShared({ params: { token }, query: {} })
  assert.deepEqual([shared.kind, shared.name, shared.ranges.length], ['review', 'clip.mp4', 1])
  assert.deepEqual([shared.ranges[0]?.in, shared.ranges[0]?.out], [0, 100])
  await renderProxies(works.server)
  const { proxy } = (await visitor.getShared({ params: { token }, query: {} })).shared.proxy
  assert.equal(proxy?.frames, 100)
})

test('comments on a review are markers at the clip’s frames in every export that has markers', async () => {
  const { token } = await user.client.createShare({ body: { job_id: jobId } })
  await visitor.addSharedComment({
    params: { token },
    query: {},
    body: { name: 'Ines', text: 'Jump & cut', at: 20, out: 30, version: 1 },
  })
  const exported = async (format: string, query = '&comments=true'): Promise<string> => {
    const path = `/v1/jobs/${jobId}/export?format=${format}&markers=${query}`
    const answer = await works.server.fetch(path, { token: user.token })
    assert.equal(answer.status, 200, format)
    return answer.text()
  }
  const reel = new Map([['CLIP', { start: '01:00:00:00', fps: 25 }]])
  for (const [format, { markers }] of Object.entries({
    edl: parseCutEdl(await exported('edl'), 25, reel),
    fcpxml: parseCutFcpxml(await exported('fcpxml')),
    xml: parseCutXmeml(await exported('xml')),
    otio: parseCutOtio(await exported('otio')),
  })) {
    assert.equal(markers.length, 1, format)
    assert.equal(markers[0]?.at, 20, format)
    assert.match(markers[0]?.text ?? '', /Jump & cut/, format)
  }
  assert.match(
    await exported('avid-markers'),
    /\t01:00:00:20\tV1\tyellow\tInes: Jump & cut.*\t10\r\n$/,
  )
  assert.match(await exported('resolve-markers'), /ResolveColorYellow \|M:Ines: Jump & cut \|D:10/)
  assert.match(await exported('premiere-markers'), /Ines: Jump & cut\tJump & cut\t01:00:00:20/)
  assert.deepEqual(parseCutOtio(await exported('otio', '')).markers, [], 'only where asked for')
})

test('the same comment sent twice is one, and an answer to an answer stays in its thread', async () => {
  const { token } = await share()
  const body = { name: 'Ines', text: 'Once', at: 3, version: 1, device_secret: 'a'.repeat(43) }
  const send = (more: object = {}) =>
    visitor.addSharedComment({ params: { token }, query: {}, body: { ...body, ...more } })
  const both = await Promise.all([send(), send()])
  assert.equal(both[0].comment.id, both[1].comment.id)
  assert.equal(both[0].device_secret, body.device_secret)
  const { comment: answer } = await send({
    device_secret: 'b'.repeat(43),
    reply_to: both[0].comment.id,
  })
  const { comment: deeper } = await send({ device_secret: 'c'.repeat(43), reply_to: answer.id })
  assert.equal(deeper.reply_to, both[0].comment.id)
  const { comments } = await visitor.listSharedComments({ params: { token }, query: {} })
  assert.equal(comments.length, 3)
  const { token: other } = await share()
  await assert.rejects(
    visitor.addSharedComment({
      params: { token: other },
      query: {},
      body: { name: 'Ines', text: 'x', at: 0, version: 1, reply_to: answer.id },
    }),
    { code: 'not_found' },
    'of another link',
  )
  await assert.rejects(send({ device_secret: 'd'.repeat(43), version: 2 }), { code: 'invalid' })
  await assert.rejects(send({ device_secret: 'short' }), { code: 'invalid' })
  await assert.rejects(send({ text: 'Another' }), { code: 'duplicate' })
})

test('a link for a year is made by a clock that is fast, and once however often it is asked', async () => {
  const body = {
    cut_id: cutId,
    expires_at: new Date(
      works.server.ctx.now().getTime() + 365 * 86_400_000 + 60_000,
    ).toISOString(),
  }
  const make = async () => {
    const answer = await works.server.fetch('/v1/shares', {
      method: 'POST',
      token: user.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'one-link' },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 201)
    return ((await answer.json()) as { token: string }).token
  }
  assert.equal(await make(), await make())
})
