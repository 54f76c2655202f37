/** Syncs through HTTP: what is found, what is charged, and what a person moves. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { syncPrice } from '../../domain/money/catalogue.ts'
import { parseRational, toNumber } from '../../domain/time/rational.ts'
import type { Sync } from '../../contract/footage/syncs.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import type { TestUser } from '../support/app.ts'
import { openWorks } from '../support/job-app.ts'
import { slow } from '../support/slow.ts'
import { parseMulticam } from '../export-parsers/sync.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

/** Noise whose level wanders, so that every second sounds different. */
const noise = (seed: number, seconds: number): string =>
  `-f lavfi -i anoisesrc=seed=${seed}:d=${seconds}:c=pink:r=16000:a=0.6`

/** How alike two sounds are, from −1 to 1. */
function likeness(sound: Int16Array, other: Int16Array): number {
  let [both, own, others] = [0, 0, 0]
  for (const [at, sample] of sound.entries()) {
    both += sample * (other[at] ?? 0)
    own += sample ** 2
    others += (other[at] ?? 0) ** 2
  }
  return both / Math.sqrt(own * others)
}

describe('syncs', { timeout: 300_000 }, () => {
  const works = use(openWorks)
  let recorder: Buffer
  let camera: Buffer
  let stranger: Buffer

  before(async () => {
    const { folder } = works
    const picture = (seconds: number): string =>
      `-f lavfi -i testsrc2=size=64x36:rate=25:duration=${seconds}`
    const codec = '-c:v libx264 -preset ultrafast -c:a aac -shortest'
    const files = await Promise.all([
      makeClip(folder, `${noise(1, 12)} recorder.wav`),
      makeClip(
        folder,
        `${picture(6)} ${noise(1, 12)} -filter_complex [1:a]atrim=start=2.5,asetpts=PTS-STARTPTS,volume=0.5[a]
         -map 0:v -map [a] ${codec} camera.mp4`,
      ),
      makeClip(folder, `${noise(77, 6)} stranger.wav`),
    ])
    ;[recorder, camera, stranger] = (await Promise.all(files.map((file) => readFile(file)))) as [
      Buffer,
      Buffer,
      Buffer,
    ]
  })

  const makeImage = (): Promise<string> =>
    makeClip(works.folder, '-f lavfi -i color=gray:s=64x36:d=1 -frames:v 1 still.png')

  async function untilEnded(user: TestUser, id: string): Promise<Sync> {
    const { sync } = await until(
      () => user.client.getSync({ params: { id } }),
      (answer) => answer.sync.finished_at !== null,
    )
    return sync
  }

  async function uploadAll(user: TestUser): Promise<string[]> {
    const items = [
      await works.upload(user.token, recorder, 'recorder.wav'),
      await works.upload(user.token, camera, 'camera.mp4'),
      await works.upload(user.token, stranger, 'stranger.wav'),
      await works.upload(user.token, works.silentClip, 'silent.mp4'),
    ]
    return items.map(({ id }) => id)
  }

  it('quotes, holds, places and charges once; silence costs nothing', async () => {
    const user = await works.server.user()
    const ids = await uploadAll(user)
    const { quote } = await user.client.quoteSync({ body: { content_ids: ids } })
    assert.deepEqual(
      quote.lines.map(({ seconds, usd, applies }) => [seconds, usd, applies]),
      [
        [12, 0.012, true],
        [6, 0.006, true],
        [6, 0.006, true],
        [0, 0, false],
      ],
    )
    assert.equal(quote.total_usd, 0.024)
    assert.equal(quote.usd_per_second, syncPrice.microsPerSecond / 1e6)
    const key = randomUUID()
    const body = JSON.stringify({ content_ids: ids, quote_id: quote.id })
    const ask = () =>
      works.server.fetch('/v1/syncs', {
        method: 'POST',
        token: user.token,
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body,
      })
    const first = (await (await ask()).json()) as { sync: Sync }
    const again = (await (await ask()).json()) as { sync: Sync }
    assert.equal(again.sync.id, first.sync.id)
    assert.equal(first.sync.held_usd, 0.024)
    const sync = await untilEnded(user, first.sync.id)
    assert.equal(sync.status, 'completed', JSON.stringify(sync.error))
    assert.equal(sync.cost_usd, 0.024)
    assert.deepEqual(await works.balanceOf(user), { available: 5_000_000 - 24_000, held: 0 })
    const { transactions } = await user.client.listBillingHistory({ query: { type: 'charge' } })
    assert.equal(transactions.length, 1)
    assert.match(transactions[0]!.description, /Sync by sound$/)
    assert.deepEqual(
      sync.items.map(({ group, reference, method }) => [group, reference, method]),
      [
        [0, true, null],
        [0, false, 'sound'],
        [null, false, null],
        [null, false, null],
      ],
    )
    const offset = toNumber(parseRational(sync.items[1]!.offset!)!)
    assert.ok(Math.abs(offset - 2.5) < 0.02, `${offset}`)
    assert.match(sync.items[2]!.reason ?? '', /matches nowhere/)
    assert.match(sync.items[3]!.reason ?? '', /No sound/)
    const search = await user.client.search({ query: { q: 'recorder' } })
    assert.deepEqual(
      search.hits.filter(({ job_id: id }) => id === sync.id),
      [],
    )
    // A sync is no job to a reader of jobs.
    assert.equal((await user.client.listJobs({ query: {} })).jobs.length, 0)
    await assert.rejects(user.client.getJob({ params: { id: sync.id } }), { status: 404 })
    await assert.rejects(user.client.deleteJob({ params: { id: sync.id } }), { status: 404 })
  })

  it(
    'shows the sound of each item as soon as it was read, and any moment of it later',
    slow,
    async () => {
      const user = await works.server.user()
      const ids = await uploadAll(user)
      let running: Sync | undefined
      works.onStep = async (step, { job }) => {
        if (step !== 'analysis-over') return
        works.onStep = () => undefined
        running = (await user.client.getSync({ params: { id: job.id } })).sync
      }
      const { sync: placed } = await user.client.createSync({ body: { content_ids: ids } })
      assert.deepEqual(
        placed.items.map(({ waveform }) => waveform),
        ['', '', '', ''],
      )
      const sync = await untilEnded(user, placed.id)
      assert.equal(running?.finished_at, null)
      const waveforms = (item: Sync) => item.items.map(({ waveform }) => waveform)
      assert.deepEqual(waveforms(running), waveforms(sync))
      const hear = (contentId: string, start: number, seconds = 0.5) =>
        works.server.fetch(
          `/v1/syncs/${sync.id}/sound?content_id=${contentId}&start=${start}&seconds=${seconds}`,
          { token: user.token },
        )
      const samplesOf = async (answer: Response): Promise<Int16Array> =>
        new Int16Array((await answer.arrayBuffer()).slice(44))
      // The camera begins 2.5 s after the recorder, to the sample.
      const answer = await hear(ids[0]!, 3.5)
      assert.equal(answer.headers.get('content-type'), 'audio/wav')
      const reference = await samplesOf(answer)
      assert.equal(reference.length, 24_000)
      const alike = likeness(reference, await samplesOf(await hear(ids[1]!, 1)))
      assert.ok(alike > 0.9, `${alike}`)
      const late = likeness(reference, await samplesOf(await hear(ids[1]!, 1.01)))
      assert.ok(late < 0.5, `${late}`)
      assert.equal((await hear(ids[3]!, 0)).status, 422, 'no sound')
      assert.equal((await hear(randomUUID(), 0)).status, 422, 'not part of the sync')
      assert.equal((await hear(ids[0]!, 0, 11)).status, 422, 'too long')
    },
  )

  it('keeps what a person moves, exports it, and takes it back', slow, async () => {
    const user = await works.server.user()
    const ids = await uploadAll(user)
    const { sync: placed } = await user.client.createSync({
      body: { content_ids: ids.slice(0, 3), name: 'Mill' },
    })
    const params = { id: placed.id }
    const fetchExport = (format: string) =>
      works.server.fetch(`/v1/syncs/${placed.id}/export?format=${format}`, { token: user.token })
    const sync = await untilEnded(user, placed.id)
    const itemOffset = sync.items[1]!.offset
    const moved = await user.client.updateSync({
      params,
      body: {
        items: [
          { content_id: ids[1]!, offset: '4/1' },
          { content_id: ids[2]!, offset: '-1/1' },
        ],
      },
    })
    assert.deepEqual(
      moved.sync.items.map(({ offset, method, group }) => [offset, method, group]),
      [
        ['0/1', null, 0],
        ['4/1', 'hand', 0],
        ['-1/1', 'hand', 0],
      ],
    )
    const multicam = parseMulticam(await (await fetchExport('fcpxml')).text())
    assert.deepEqual(
      multicam.map(({ recordIn }) => recordIn),
      [25, 125, 0],
    )
    const back = await user.client.updateSync({
      params,
      body: { items: ids.slice(1, 3).map((id) => ({ content_id: id, offset: null })) },
    })
    assert.equal(back.sync.items[1]!.offset, itemOffset)
    assert.equal(back.sync.items[2]!.group, null)
    const answer = await fetchExport('xml')
    const notes = decodeURIComponent(answer.headers.get('x-export-notes') ?? '')
    assert.match(notes, /stranger\.wav: not in sync, left out/)
    for (const wrong of ['1/0', `${10 ** 9}/1`]) {
      const items = [{ content_id: ids[1]!, offset: wrong }]
      await assert.rejects(user.client.updateSync({ params, body: { items } }), { status: 422 })
    }
    const items = [{ content_id: ids[0]!, offset: '1/1' }]
    await assert.rejects(user.client.updateSync({ params, body: { items } }), { status: 422 })
    await user.client.deleteSync({ params })
    await assert.rejects(user.client.getSync({ params }), { status: 404 })
    assert.equal((await user.client.listSyncs({ query: {} })).syncs.length, 0)
  })

  it(
    'takes the first clip that a person places as the reference where no sound matches',
    slow,
    async () => {
      const user = await works.server.user()
      const [first, second] = [
        (await works.upload(user.token, recorder, 'recorder.wav')).id,
        (await works.upload(user.token, stranger, 'stranger.wav')).id,
      ]
      const { sync } = await user.client.createSync({ body: { content_ids: [first, second] } })
      const params = { id: sync.id }
      const placesOf = (item: Sync) =>
        item.items.map(({ group, reference, offset }) => [group, reference, offset])
      assert.deepEqual(placesOf(await untilEnded(user, sync.id)), [
        [null, false, null],
        [null, false, null],
      ])
      const place = async (contentId: string, offset: string | null) =>
        placesOf(
          (
            await user.client.updateSync({
              params,
              body: { items: [{ content_id: contentId, offset }] },
            })
          ).sync,
        )
      assert.deepEqual(await place(second, '5/1'), [
        [null, false, null],
        [0, true, '0/1'],
      ])
      // One that begins with the reference does not take its place.
      assert.deepEqual(await place(first, '0/1'), [
        [0, false, '0/1'],
        [0, true, '0/1'],
      ])
      assert.deepEqual(await place(first, '-3/2'), [
        [0, false, '-3/2'],
        [0, true, '0/1'],
      ])
      const file = await works.server.fetch(`/v1/syncs/${sync.id}/export?format=fcpxml`, {
        token: user.token,
      })
      assert.equal(parseMulticam(await file.text()).length, 2)
      await assert.rejects(place(second, null), {
        status: 422,
        message: /reference clip can’t be moved/,
      })
      await place(first, null)
      assert.deepEqual(await place(second, null), [
        [null, false, null],
        [null, false, null],
      ])
      const items = [first, second].map((id) => ({ content_id: id, offset: '2/1' }))
      const both = await user.client.updateSync({ params, body: { items } })
      assert.deepEqual(placesOf(both.sync), [
        [0, true, '0/1'],
        [0, false, '2/1'],
      ])
    },
  )

  it('charges nothing for a sync that is canceled or that cannot be read', slow, async () => {
    const user = await works.server.user()
    const ids = await uploadAll(user)
    const content_ids = ids.slice(0, 2)
    works.onStep = async (step, { job }) => {
      if (step !== 'running') return
      works.onStep = () => undefined
      await user.client.cancelSync({ params: { id: job.id } })
    }
    const { sync } = await user.client.createSync({ body: { content_ids } })
    const canceled = await untilEnded(user, sync.id)
    assert.equal(canceled.status, 'canceled')
    assert.equal(canceled.cost_usd, 0)
    works.onStep = async (step) => {
      if (step !== 'claimed') return
      works.onStep = () => undefined
      await user.client.deleteContent({ params: { id: ids[0]! } })
    }
    const { sync: second } = await user.client.createSync({ body: { content_ids } })
    const failed = await untilEnded(user, second.id)
    assert.equal(failed.status, 'failed')
    assert.match(failed.error?.message ?? '', /recorder\.wav/)
    assert.deepEqual(await works.balanceOf(user), { available: 5_000_000, held: 0 })
  })

  it('refuses what cannot be synced, and more than the credit, and stores nothing', async () => {
    const user = await works.server.user()
    const stranger = await works.server.user()
    const ids = await uploadAll(user)
    const [foreign] = await uploadAll(stranger)
    const image = await works.upload(user.token, await readFile(await makeImage()), 'still.png')
    const many = Array.from({ length: 17 }, () => randomUUID())
    const wrong: [contentIds: string[], status: number, message: RegExp][] = [
      [[], 422, /at least 2 items/],
      [[ids[0]!], 422, /at least 2 items/],
      [many, 422, /at most 16 items/],
      [many.slice(1), 404, /not found/],
      [[ids[0]!, ids[0]!], 422, /named twice/],
      [[ids[0]!, randomUUID()], 404, /not found/],
      [[ids[0]!, foreign!], 404, /not found/],
      [[ids[0]!, 'x'], 422, /id/],
      [[ids[0]!, image.id], 422, /neither video nor audio/],
      // Sound that has nothing to be compared with would cost and place nothing.
      [[ids[0]!, ids[3]!], 422, /two items need sound/],
    ]
    for (const [content_ids, status, message] of wrong) {
      const refused = { status, message }
      await assert.rejects(user.client.quoteSync({ body: { content_ids } }), refused)
      await assert.rejects(user.client.createSync({ body: { content_ids } }), refused)
    }
    const { quote } = await user.client.quoteSync({ body: { content_ids: ids.slice(0, 2) } })
    const others = { content_ids: ids.slice(1, 3), quote_id: quote.id }
    await assert.rejects(user.client.createSync({ body: others }), { status: 409 })
    await works.server.ctx.pool.query(
      `update content set media = media || '{"duration": 20000}' where id = $1`,
      [ids[0]],
    )
    await assert.rejects(user.client.createSync({ body: { content_ids: ids.slice(0, 2) } }), {
      status: 402,
    })
    assert.equal((await user.client.listSyncs({ query: {} })).syncs.length, 0)
  })
})
