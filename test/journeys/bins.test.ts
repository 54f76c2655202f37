/** Bins of a project, and what an editor notes of a clip. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { ContentItem } from '../../contract/footage/content.ts'
import { binLimits } from '../../domain/project-limits.ts'
import { startTestServer } from '../support/app.ts'
import type { TestUser } from '../support/app.ts'
import { use } from '../support/use.ts'

const server = use(startTestServer)
const user = use(() => server.user())

test('bins nest, are renamed, ordered and moved, and never into themselves', async () => {
  const { project, add, tree } = await startProject()
  const day1 = await add('Day 1')
  const day2 = await add('Day 2')
  const card = await add('A001', day1)
  assert.deepEqual(await tree(), ['Day 1', 'Day 1/A001', 'Day 2'])
  const { client } = user
  await client.updateBin({ params: { id: day2 }, body: { name: ' Day two ', position: 0 } })
  assert.deepEqual(await tree(), ['Day two', 'Day 1', 'Day 1/A001'])
  await client.updateBin({ params: { id: card }, body: { parent_id: day2 } })
  await client.updateBin({ params: { id: day1 }, body: { parent_id: card } })
  assert.deepEqual(await tree(), ['Day two', 'Day two/A001', 'Day two/A001/Day 1'])
  for (const parent_id of [day2, card, day1]) {
    const circle = client.updateBin({ params: { id: day2 }, body: { parent_id } })
    await assert.rejects(circle, { code: 'invalid' })
  }
  const other = await client.createProject({ body: { name: 'Other' } })
  const elsewhere = { name: 'B', parent_id: day1 }
  await assert.rejects(client.createBin({ params: { id: other.project.id }, body: elsewhere }), {
    code: 'not_found',
  })
  for (const name of ['', '   ', 'A/B', 'x'.repeat(201)]) {
    const bad = client.createBin({ params: { id: project }, body: { name } })
    await assert.rejects(bad, { code: 'invalid' }, name)
  }
})

test('bins are at most eight deep, whether made, moved, or kept from folders', async () => {
  const { project, add, tree } = await startProject()
  const { client } = user
  let deepest: string | undefined
  for (let depth = 1; depth <= binLimits.depth; depth += 1) deepest = await add('D', deepest)
  const params = { id: project }
  const below = { name: 'D', parent_id: deepest! }
  await assert.rejects(client.createBin({ params, body: below }), { code: 'invalid' })
  const pair = await add('P')
  await add('Q', pair)
  const [, seventh] = (await client.listBins({ query: { project_id: project } })).bins
    .filter((bin) => bin.name === 'D')
    .toReversed()
  const move = client.updateBin({ params: { id: pair }, body: { parent_id: seventh!.id } })
  await assert.rejects(move, { code: 'invalid' })
  const path = Array.from({ length: 12 }, (_, i) => `F${i + 1}`).join('/')
  await client.ensureBins({ params, body: { paths: [path] } })
  assert.equal((await tree()).at(-1), 'F1/F2/F3/F4/F5/F6/F7/F8')
})

test('the folders of a card become bins once, however often and however many drop them', async () => {
  const { project, tree } = await startProject()
  const { client } = user
  const params = { id: project }
  const paths = ['Card A/CLIPS', 'Card A/SOUND', './Card A//CLIPS/', 'Card B', '..']
  const drops = await Promise.all(
    Array.from({ length: 4 }, () => client.ensureBins({ params, body: { paths } })),
  )
  assert.deepEqual(await tree(), ['Card A', 'Card A/CLIPS', 'Card A/SOUND', 'Card B'])
  const [{ bin_ids: ids, bins }] = drops as [(typeof drops)[0]]
  assert.ok(drops.every((drop) => drop.bin_ids.join() === ids.join()))
  assert.deepEqual(
    ids.map((id) => bins.find((bin) => bin.id === id)?.name ?? null),
    ['CLIPS', 'SOUND', 'CLIPS', 'Card B', null],
  )
  const within = { paths: ['CLIPS/1'], parent_id: bins[0]!.id }
  const { bins: after } = await client.ensureBins({ params, body: within })
  assert.equal(after.length, 5)
})

test('a clip is in a bin of its project; the list shows a bin with or without those below', async () => {
  const { project, add } = await startProject()
  const { client } = user
  const day = await add('Day')
  const card = await add('Card', day)
  const [first, second, third] = [await clip(user), await clip(user), await clip(user)]
  await client.moveContent({ body: { content_ids: [first], project_id: project, bin_id: day } })
  await client.moveContent({ body: { content_ids: [second], project_id: project, bin_id: card } })
  const upload = await clip(user, `?project_id=${project}&bin_id=${card}`)
  const listed = async (query: object): Promise<string[]> =>
    (await client.listContent({ query })).content.map(({ id }) => id)
  assert.deepEqual(new Set(await listed({ bin_id: day })), new Set([first, second, upload]))
  assert.deepEqual(await listed({ bin_id: day, below: 'no' }), [first])
  assert.deepEqual(await listed({ project_id: 'none', bin_id: 'none', q: '.txt' }), [third])
  const { bins } = await client.listBins({ query: { project_id: project } })
  assert.deepEqual(
    bins.map((bin) => bin.item_count),
    [1, 2],
  )
  const back = await client.moveContent({
    body: { content_ids: [first, second, third], project_id: null },
  })
  assert.deepEqual(new Set(await listed({ bin_id: day })), new Set([upload]))
  for (const body of back.previous) await client.moveContent({ body })
  assert.deepEqual(new Set(await listed({ bin_id: day })), new Set([first, second, upload]))
  const other = await client.createProject({ body: { name: 'Other' } })
  const params = { id: first }
  const wrong = { project_id: other.project.id, bin_id: day }
  await assert.rejects(client.updateContent({ params, body: wrong }), { code: 'not_found' })
  const moved = await client.updateContent({ params, body: { project_id: other.project.id } })
  assert.equal(moved.content.bin_id, null)
})

test('a deleted bin leaves its clips to the bin around it, a deleted project to the library', async () => {
  const { project, add, tree } = await startProject()
  const { client } = user
  const day = await add('Day')
  const card = await add('Card', day)
  const reel = await add('Reel', card)
  const id = await clip(user, `?project_id=${project}&bin_id=${reel}`)
  const place = async () => {
    const { content } = await client.getContent({ params: { id } })
    return [content.project_id, content.bin_id]
  }
  await client.deleteBin({ params: { id: card } })
  assert.deepEqual([await place(), await tree()], [[project, day], ['Day']])
  await client.deleteBin({ params: { id: day } })
  assert.deepEqual([await place(), await tree()], [[project, null], []])
  await client.updateContent({ params: { id }, body: { bin_id: await add('Again') } })
  await client.deleteProject({ params: { id: project } })
  assert.deepEqual(await place(), [null, null])
})

test('a resumable upload lands in the bin it is meant for, or in the project if that is gone', async () => {
  const { project, add } = await startProject()
  const { client } = user
  const begin = (binId: string) =>
    server.fetch('/v1/content/resumable', {
      method: 'POST',
      token: user.token,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '36',
        'upload-metadata': `filename ${btoa('a.txt')},project_id ${btoa(project)},bin_id ${btoa(binId)}`,
      },
    })
  const finish = async (begun: Response): Promise<ContentItem> => {
    const sent = await server.fetch(new URL(begun.headers.get('location') ?? '').pathname, {
      method: 'PATCH',
      token: user.token,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      body: randomUUID(),
    })
    const id = sent.headers.get('content-location')?.split('/').at(-1) ?? ''
    return (await client.getContent({ params: { id } })).content
  }
  const [kept, deleted] = [await add('Kept'), await add('Deleted')]
  const [into, late] = [await begin(kept), await begin(deleted)]
  await client.deleteBin({ params: { id: deleted } })
  assert.equal((await finish(into)).bin_id, kept)
  const item = await finish(late)
  assert.deepEqual([item.project_id, item.bin_id], [project, null])
  assert.equal((await begin(deleted)).status, 404)
})

test('ratings and keywords are kept, counted and filtered by', async () => {
  const own = await server.user()
  const { client } = own
  const [best, reject, plain] = [await clip(own), await clip(own), await clip(own)]
  const rated = { rating: 5, keywords: ['Wide', 'quay', 'WIDE'] }
  const { content } = await client.updateContent({ params: { id: best }, body: rated })
  assert.deepEqual([content.rating, content.keywords], [5, ['Wide', 'quay']])
  await client.markContent({ body: { content_ids: [reject], rating: -1 } })
  const marks = { add_keywords: ['QUAY', 'Rain'], remove_keywords: ['wide'] }
  const { marked } = await client.markContent({ body: { content_ids: [best, plain], ...marks } })
  assert.equal(marked, 2)
  const { content: after } = await client.getContent({ params: { id: best } })
  assert.deepEqual([after.rating, after.keywords], [5, ['quay', 'Rain']])
  const listed = async (query: object): Promise<string[]> =>
    (await client.listContent({ query })).content.map(({ id }) => id)
  assert.deepEqual(new Set(await listed({ min_rating: 0 })), new Set([best, plain]))
  assert.deepEqual(await listed({ min_rating: 4 }), [best])
  assert.deepEqual(await listed({ max_rating: -1 }), [reject])
  assert.deepEqual(new Set(await listed({ keyword: 'rain' })), new Set([best, plain]))
  const { keywords } = await client.listKeywords()
  assert.deepEqual(
    keywords.map(({ keyword, count }) => [keyword.toLowerCase(), count]),
    [
      ['quay', 2],
      ['rain', 2],
    ],
  )
  const many = Array.from({ length: 29 }, (_, i) => `word ${i}`)
  const tooMany = client.markContent({ body: { content_ids: [best], add_keywords: many } })
  await assert.rejects(tooMany, { code: 'invalid' })
  for (const body of [{ rating: 6 }, { rating: 0.5 }, { keywords: ['x'.repeat(41)] }]) {
    const bad = client.updateContent({ params: { id: best }, body })
    await assert.rejects(bad, { code: 'invalid' }, JSON.stringify(body))
  }
})

async function startProject() {
  const { client } = user
  const { project } = await client.createProject({ body: { name: 'Film' } })
  const params = { id: project.id }
  return {
    project: project.id,
    add: async (name: string, parent_id?: string): Promise<string> =>
      (await client.createBin({ params, body: { name, parent_id } })).bin.id,
    /** The paths of all bins, in their order. */
    tree: async (): Promise<string[]> => {
      const { bins } = await client.listBins({ query: { project_id: project.id } })
      const paths = new Map<string, string>()
      for (const { id, parent_id, name } of bins) {
        paths.set(id, parent_id === null ? name : `${paths.get(parent_id)}/${name}`)
      }
      return [...paths.values()]
    },
  }
}

async function clip({ token }: TestUser, query = ''): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([randomUUID()]), 'notes.txt')
  const init = { method: 'POST', body: form, token }
  const answer = await server.fetch(`/v1/content/upload${query}`, init)
  assert.equal(answer.status, 201)
  return ((await answer.json()) as { content: ContentItem }).content.id
}
