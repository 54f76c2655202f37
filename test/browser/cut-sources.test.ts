/** Ranges added to a cut from the search, a review and the selects of its project. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { CutRange } from '../../domain/cuts/cut.ts'
import { openCutRoom, savedMark } from '../support/cut-room.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

describe('what a cut is made from', slow, () => {
  const room = use(openCutRoom)

  it('hits, batches of hits, marked words, selects and shots are added from elsewhere', async () => {
    const id = await room.makeCut([room.range(0, 0, 50)], 'Collected')
    const { page, close } = await room.open('/search?q=fog')
    const dialog = page.getByRole('dialog', { name: 'Add to cut' })
    const grows = async (to: number): Promise<CutRange[]> => {
      await dialog.getByRole('button', { name: /Collected/ }).click()
      await dialog.waitFor({ state: 'detached' })
      const { ranges } = await until(
        () => room.saved(id),
        (cut) => cut.ranges.length === to,
      )
      return ranges
    }
    await page
      .getByRole('button', { name: /to a cut \(A\)/ })
      .first()
      .click()
    const [, hit] = await grows(2)
    assert.ok(hit?.in === 2 || hit?.in === 52, 'the whole sentence')
    // A on a hit that has the focus, then all hits at once.
    await page.getByRole('listitem').getByRole('link').nth(1).focus()
    await page.keyboard.press('a')
    await grows(3)
    const batch = page.getByRole('button', { name: /^Add all \d+ to a cut$/ })
    const count = Number(/\d+/.exec((await batch.textContent()) ?? '')?.[0])
    assert.ok(count >= 7, `${count} hits`)
    await batch.click()
    assert.equal(new Set((await grows(3 + count)).map((item) => item.content_id)).size, 5)

    await page.goto(`${room.studio.server.url}/jobs/${room.clips[0]!.jobId}`)
    await page.getByRole('button', { name: 'Mark in (I)' }).waitFor()
    await page.getByText('waited', { exact: false }).first().waitFor()
    await selectInTranscript(page, 'waited for')
    await page.keyboard.press('a')
    await dialog.getByText('last used').waitFor()
    const said = (await grows(4 + count)).at(-1)
    assert.deepEqual([said?.in, said?.out], [11, 27], 'from the first selected word to the last')

    await page.keyboard.press('h')
    await page.getByRole('tab', { name: /^Selects/ }).click()
    await page.getByLabel('Name of the select').fill('Waiting')
    await page.getByRole('button', { name: 'Add Waiting to a cut (A)' }).click()
    const chosen = (await grows(5 + count)).at(-1)
    assert.deepEqual([chosen?.name, chosen?.in, chosen?.out], ['Waiting', 11, 27])
    await page.getByRole('button', { name: 'Add all to cut' }).click()
    await grows(6 + count)
    await close()
  })

  it('a shot is added from its card, by its button and by A', async () => {
    const { jobId, contentId } = room.clips[2]!
    const job = await room.studio.finish(room.user, contentId, 'shots')
    assert.notEqual(job.id, jobId)
    const id = await room.makeCut([], 'Shots')
    const { page, close } = await room.open(`/jobs/${job.id}`)
    const dialog = page.getByRole('dialog', { name: 'Add to cut' })
    const card = page.getByRole('listitem').filter({ hasText: '01' }).first()
    await card.hover()
    await card.getByRole('button', { name: 'Add shot 01 to a cut (A)' }).click()
    await dialog.getByRole('button', { name: /Shots/ }).click()
    const first = await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 1,
    )
    assert.equal(first.ranges[0]?.content_id, contentId)
    await card.getByRole('button').first().focus()
    await page.keyboard.press('a')
    await dialog.getByText('last used').waitFor()
    // The cut that was used last has the focus.
    await page.keyboard.press('Enter')
    await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 2,
    )
    await close()
  })

  async function selectInTranscript(page: Page, words: string): Promise<void> {
    const text = page.getByText(words, { exact: false }).first()
    const box = await text.evaluate((element, wanted) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const spot = document.createRange()
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        const at = (node.nodeValue ?? '').indexOf(wanted)
        if (at < 0) continue
        spot.setStart(node, at)
        spot.setEnd(node, at + wanted.length)
        const { left, right, top, height } = spot.getBoundingClientRect()
        return { left: left + 2, right: right - 2, middle: top + height / 2 }
      }
      throw new Error(`“${wanted}” is not in the transcript`)
    }, words)
    await page.mouse.move(box.left, box.middle)
    await page.mouse.down()
    await page.mouse.move(box.right, box.middle, { steps: 5 })
    await page.mouse.up()
  }

  it('an empty cut starts from the selects of its project, clip by clip and in their order', async () => {
    const select = (name: string, from: number, to: number) => ({
      id: randomUUID(),
      name,
      start_frame: from,
      end_frame: to,
    })
    const review = { accepted_cut_frames: [], rejected_cut_frames: [], shot_threshold: null }
    const save = (clip: number, selects: ReturnType<typeof select>[]) =>
      room.user.client.saveReview({
        params: { id: room.clips[clip]!.jobId },
        body: { ...review, selects },
      })
    await save(4, [select('Last', 5, 20)])
    await save(0, [select('Late', 40, 50), select('Early', 10, 30)])
    const id = await room.makeCut([], 'Selects')
    const { page, close } = await room.open(`/cuts/${id}`)
    await page.getByRole('button', { name: 'Start from the selects (3)' }).click()
    await savedMark(page, 2)
    const { ranges } = await room.saved(id)
    assert.deepEqual(
      ranges.map((item) => [item.content_id, item.in, item.out, item.name]),
      [
        [room.clips[0]!.contentId, 10, 30, 'Early'],
        [room.clips[0]!.contentId, 40, 50, 'Late'],
        [room.clips[4]!.contentId, 5, 20, 'Last'],
      ],
    )
    for (const clip of [0, 4]) await save(clip, [])
    await close()
  })
})
