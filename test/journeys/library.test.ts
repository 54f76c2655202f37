/** Projects, and the library's list. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ContentItem } from '../../contract/footage/content.ts'
import { lockResults } from '../../server/results/reuse.ts'
import { until } from '../support/until.ts'
import { startTestServer } from '../support/app.ts'
import type { TestServer, TestUser } from '../support/app.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'
import { tryUpload } from '../support/upload.ts'

describe('projects and the list of content', () => {
  const server = use(startTestServer)
  const user = use(() => server.user())

  test('a project keeps its settings, and deleting it keeps its media', async () => {
    const { client } = user
    const { project } = await client.createProject({
      body: { name: ' Harbour ', frame_rate: '29.97', drop_frame: true, vocabulary: ['Elbe'] },
    })
    assert.equal(project.name, 'Harbour')
    const params = { id: project.id }
    const [item] = await insertItems(server, user, 1)
    await client.moveContent({ body: { content_ids: [item!], project_id: project.id } })
    const { project: filled } = await client.getProject({ params })
    assert.deepEqual([filled.item_count, filled.seconds], [1, 10])
    const { project: changed } = await client.updateProject({
      params,
      body: { colour: 'red', start_timecode: '01:00:00;00' },
    })
    assert.deepEqual(
      [changed.colour, changed.vocabulary, changed.drop_frame],
      ['red', ['Elbe'], true],
    )
    await client.deleteProject({ params })
    const { content } = await client.getContent({ params: { id: item! } })
    assert.equal(content.project_id, null)
    await assert.rejects(client.getProject({ params }), { code: 'not_found' })
  })

  test('a project refuses a timeline that cannot exist', async () => {
    const { client } = user
    for (const body of [
      { name: 'A', frame_rate: '25', drop_frame: true },
      { name: 'A', frame_rate: '25', start_timecode: '01:00:00:25' },
      { name: 'A', frame_rate: '29.97', drop_frame: true, start_timecode: '00:01:00;00' },
      { name: 'A', frame_rate: 'fast' },
      { name: '   ' },
      { name: 'A', start_timecode: '25:00:00:00' },
    ]) {
      await assert.rejects(
        client.createProject({ body }),
        { code: 'invalid' },
        JSON.stringify(body),
      )
    }
  })

  test('a list without a limit holds the newest 1,000 (§7)', async () => {
    const reader = await server.user()
    const ids = await insertItems(server, reader, 1001)
    const page = await reader.client.listContent({ query: {} })
    assert.deepEqual([page.content.length, page.total], [1000, 1001])
    const newest = page.content.map((item) => item.created_at)
    assert.deepEqual(newest, newest.toSorted().reverse())
    const query = { cursor: page.next_cursor ?? undefined }
    const rest = await reader.client.listContent({ query })
    const all = [...page.content, ...rest.content].map((item) => item.id)
    assert.deepEqual(new Set(all), new Set(ids))
    assert.equal(all.length, 1001)
  })

  test('pages follow every sort without a gap or a repeat', async () => {
    const reader = await server.user()
    await insertItems(server, reader, 57)
    for (const sort of ['added', 'name', 'length', 'size', 'used'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const seen: ContentItem[] = []
        let cursor: string | undefined
        do {
          const page = await reader.client.listContent({
            query: { limit: 10, cursor, sort, order },
          })
          assert.equal(page.total, 57)
          seen.push(...page.content)
          cursor = page.next_cursor ?? undefined
        } while (cursor)
        assert.equal(new Set(seen.map(({ id }) => id)).size, 57, `${sort} ${order}`)
        const lengths = seen.map(({ media }) => media?.duration ?? -1)
        if (sort === 'length') {
          const sorted = [...lengths].sort((a, b) => (order === 'asc' ? a - b : b - a))
          assert.deepEqual(lengths, sorted)
        }
        const { items } = await reader.client.listContentIds({ query: { sort, order } })
        assert.deepEqual(
          items.map(({ id }) => id),
          seen.map(({ id }) => id),
        )
      }
    }
    const { next_cursor: ofNames } = await reader.client.listContent({
      query: { limit: 10, sort: 'name' },
    })
    const elsewhere = { cursor: ofNames ?? '', sort: 'size' as const }
    await assert.rejects(reader.client.listContent({ query: elsewhere }), { code: 'invalid' })
  })

  test('long names in any script are paged through, and a made-up page is refused', async () => {
    const reader = await server.user()
    for (const id of await insertItems(server, reader, 3)) {
      await reader.client.updateContent({
        params: { id },
        body: { file_name: `${'夜'.repeat(240)} ${id.slice(0, 4)}.mov` },
      })
    }
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await reader.client.listContent({ query: { limit: 1, cursor, sort: 'name' } })
      for (const { id } of page.content) seen.add(id)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    assert.equal(seen.size, 3)
    for (const [sort, value] of [
      ['size', '1.5'],
      ['size', '9'.repeat(30)],
      ['length', '1e-999'],
      ['name', '\0'],
      ['added', '1'],
      ['added', '0000-01-01 00:00:00+00'],
    ] as const) {
      const cursor = JSON.stringify([`${sort} desc`, value, [...seen][0]])
      const query = {
        sort,
        order: 'desc' as const,
        cursor: Buffer.from(cursor).toString('base64url'),
      }
      await assert.rejects(reader.client.listContent({ query }), { code: 'invalid' }, cursor)
    }
    const query = { added_from: '0000-01-01T00:00:00Z' }
    await assert.rejects(reader.client.listContent({ query }), { code: 'invalid' })
  })

  test('filters by name, project, type, rate, and date', async () => {
    const reader = await server.user()
    const ids = await insertItems(server, reader, 6)
    const { project } = await reader.client.createProject({ body: { name: 'P' } })
    await reader.client.moveContent({
      body: { content_ids: ids.slice(0, 2), project_id: project.id },
    })
    await reader.client.updateContent({
      params: { id: ids[0]! },
      body: { file_name: '100%_Ähre 日本.mov' },
    })
    const total = async (query: Record<string, string>): Promise<number> =>
      (await reader.client.listContent({ query })).total
    assert.equal(await total({ project_id: project.id }), 2)
    assert.equal(await total({ project_id: 'none' }), 4)
    assert.equal(await total({ q: '%_ähre' }), 1)
    assert.equal(await total({ q: '_' }), 1)
    assert.equal(await total({ rate: '25' }), 3)
    assert.equal(await total({ rate: '29.97' }), 3)
    assert.equal(await total({ type: 'upload' }), 0)
    assert.equal(await total({ added_from: '2999-01-01T00:00:00.000Z' }), 0)
    assert.equal(await total({ analysed: 'no', speech: 'no' }), 6)
    assert.equal(await total({ analysed: 'yes' }), 0)
    const { deleted } = await reader.client.deleteManyContent({
      body: { content_ids: [...ids.slice(4), randomUUID()] },
    })
    assert.deepEqual([deleted, await total({})], [2, 4])
  })

  test(
    'a project of 10,000 items is counted, paged, moved and deleted without its media',
    slow,
    async () => {
      const rich = await server.user()
      const { client } = rich
      const ids = await insertItems(server, rich, 10_000)
      const { project } = await client.createProject({ body: { name: 'Archive' } })
      for (let first = 0; first < ids.length; first += 500) {
        const content_ids = ids.slice(first, first + 500)
        await client.moveContent({ body: { content_ids, project_id: project.id } })
      }
      const { projects, unfiled_count: unfiled } = await client.listProjects()
      assert.deepEqual([projects[0]?.item_count, unfiled], [10_000, 0])
      const query = { project_id: project.id, sort: 'name' as const, limit: 200 }
      const seen = new Set<string>()
      let cursor: string | undefined
      do {
        const page = await client.listContent({ query: { ...query, cursor } })
        for (const { id } of page.content) seen.add(id)
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      assert.equal(seen.size, 10_000)
      const all = await client.listContentIds({ query: { project_id: project.id } })
      assert.deepEqual([all.items.length, all.total], [10_000, 10_000])
      const tooMany = { content_ids: ids.slice(0, 501), project_id: null }
      await assert.rejects(client.moveContent({ body: tooMany }), { code: 'invalid' })
      await client.deleteProject({ params: { id: project.id } })
      assert.equal((await client.listProjects()).unfiled_count, 10_000)
    },
  )

  test(
    '500 items of which 3 are broken: 497 are placed, and each of the 3 is named with its reason',
    slow,
    async () => {
      const rich = await server.user()
      const ids = await insertItems(server, rich, 499)
      const [noMedia, tooShort] = ids
      await sql`update content set media = jsonb_set(media::jsonb, '{kind}', '"other"')
      where id = ${noMedia}`.execute(server.ctx.db)
      await sql`update content set media = null, check_state = 'refused', canonical_url = ${'ftp://x/'}
      where id = ${tooShort}`.execute(server.ctx.db)
      const missing = randomUUID()
      const body = { content_ids: [...ids, missing], workflow: 'ffprobe', in: 0, out: 1 }
      const { quote } = await rich.client.quoteBatch({ body })
      assert.equal(quote.items.filter((item) => item.refused).length, 3)
      assert.equal(quote.total_usd, 0.497)
      const { batch, refused } = await rich.client.createBatch({ body })
      assert.equal(batch.jobs.length, 497)
      assert.deepEqual(
        refused.map((item) => item.content_id),
        [noMedia, tooShort, missing],
      )
      assert.ok(refused.every((item) => item.message.length > 10))
      assert.equal(batch.held_usd, 0.497)
      const more = { ...body, content_ids: [...body.content_ids, randomUUID()] }
      await assert.rejects(rich.client.createBatch({ body: more }), { code: 'invalid' })
    },
  )

  test('an item that is deleted while its batch is placed is named; the others are analysed', async () => {
    const owner = await server.user()
    const [first, second] = await insertItems(server, owner, 2)
    const body = { content_ids: [first!, second!], workflow: 'ffprobe', in: 0, out: 1 }
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    // Stands between the batch's plan and its transaction.
    const holding = server.ctx.db.transaction().execute(async (trx) => {
      await lockResults(trx, owner.accountId)
      held.resolve()
      await released.promise
    })
    await held.promise
    const placing = owner.client.createBatch({ body })
    await until(waitsForLock)
    await owner.client.deleteContent({ params: { id: first! } })
    released.resolve()
    await holding
    const { batch, refused } = await placing
    assert.deepEqual(
      batch.jobs.map((job) => job.content_id),
      [second],
    )
    assert.deepEqual(
      refused.map(({ content_id: id, code, message }) => [id, code, message]),
      [[first, 'not_found', 'The content was deleted in the meantime.']],
    )
  })

  async function waitsForLock(): Promise<boolean> {
    const { rows } = await sql<{ waits: boolean }>`
      select exists (select from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and not l.granted and d.datname = current_database()) as waits
    `.execute(server.ctx.db)
    return rows[0]?.waits ?? false
  }

  test('names of any characters are kept as far as a file system can store them', async () => {
    const { client } = user
    const [id] = await insertItems(server, user, 1)
    for (const [name, kept] of [
      ["日本語 🎬 “quoted” 'single'; drop table.mov", undefined],
      ['مقابلة.mov', undefined],
      ['x'.repeat(255), undefined],
      ['50%_1.mov', undefined],
      ['Take 1/2.mov', 'Take 1-2.mov'],
      ['A\\B.mov', 'A-B.mov'],
      ['\u202eevom.mov\n', 'evom.mov'],
    ] as const) {
      const body = { file_name: name }
      const { content } = await client.updateContent({ params: { id: id! }, body })
      assert.equal(content.file_name, kept ?? name)
      const listed = await client.listContent({ query: { q: content.file_name.slice(0, 200) } })
      assert.ok(
        listed.content.some((item) => item.id === id),
        name,
      )
    }
    const project = await client.createProject({ body: { name: "<b>“Elbe”</b> 🎬 '; --" } })
    assert.equal(project.project.name, "<b>“Elbe”</b> 🎬 '; --")
    await assert.rejects(
      client.updateContent({ params: { id: id! }, body: { file_name: 'x'.repeat(256) } }),
      { code: 'invalid' },
    )
  })

  test('an upload lands in the project it is meant for, plain or resumable, and nobody else’s', async () => {
    const stranger = await server.user()
    const { project } = await user.client.createProject({ body: { name: 'Here' } })
    const send = (token: string, projectId: string, bytes: string) =>
      tryUpload(server, { token, bytes, name: 'notes.txt', projectId })
    const { status, content } = await send(user.token, project.id, 'One.')
    assert.equal(status, 201)
    assert.equal(content?.project_id, project.id)
    assert.equal((await send(stranger.token, project.id, 'Two.')).status, 404)
    assert.equal((await send(user.token, 'no-id', 'Three.')).status, 422)

    const start = (token: string, id: string, text: string) =>
      server.fetch('/v1/content/resumable', {
        method: 'POST',
        token,
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': String(text.length),
          'upload-metadata': `filename ${btoa('large.txt')},project_id ${btoa(id)}`,
          'content-type': 'application/offset+octet-stream',
        },
        body: text,
      })
    assert.equal((await start(stranger.token, project.id, 'Four.')).status, 404)
    const whole = await start(user.token, project.id, 'Five.')
    assert.equal(whole.status, 201)
    const { content: items } = await user.client.listContent({ query: { project_id: project.id } })
    assert.deepEqual(items.map((item) => item.file_name).sort(), ['large.txt', 'notes.txt'])
  })

  test('a name of control characters only is refused', async () => {
    const [id] = await insertItems(server, user, 1)
    const body = { file_name: '\u202e\u0007' }
    await assert.rejects(user.client.updateContent({ params: { id: id! }, body }), {
      code: 'invalid',
    })
  })
})

/** Rows as an upload or a reference would leave them, without their bytes. */
async function insertItems(server: TestServer, user: TestUser, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into content (account_id, content_type, file_name, canonical_url, file_size, media,
      check_state, created_at, last_used_at)
    select ${user.accountId}, 'url', 'Clip ' || n % 7 || '.mov',
      'https://example.com/' || gen_random_uuid(), (n % 5) * 1000,
      json_build_object('kind', 'video', 'container', 'mov', 'duration', 10 + n % 3,
        'duration_time', '10/1', 'frames', 250,
        'frame_rate', case when n % 2 = 0 then '25/1' else '30000/1001' end,
        'variable_frame_rate', false, 'time_base', null, 'start_timecode', null,
        'drop_frame', false, 'reel', null, 'width', 1920, 'height', 1080, 'rotation', 0,
        'pixel_aspect', null, 'video_codec', 'h264', 'audio', '[]'::json, 'pages', null),
      'ready', now() + (n % 4) * interval '1 microsecond', now()
    from generate_series(0, ${count} - 1) n
    returning id`.execute(server.ctx.db)
  return rows.map(({ id }) => id)
}
