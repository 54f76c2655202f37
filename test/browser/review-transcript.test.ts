/** The transcript beside the footage: words are searched, followed, selected and located. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { frameOf, openCuttingRoom } from '../support/review-page.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

/** As if somebody spoke in it, a word in each frame, and the third of each paragraph mumbled. */
const sentence = ['Wait', 'for', 'grey', 'fog.']
const paragraphs = 60
const spoken = {
  language: 'en',
  text: Array.from({ length: paragraphs }, () => sentence.join(' ')).join(' '),
  paragraphs: Array.from({ length: paragraphs }, (_, index) => ({
    first_word: index * 4,
    last_word: index * 4 + 3,
    start_frame: index * 4,
    end_frame: index * 4 + 4,
  })),
  words: Array.from({ length: paragraphs * 4 }, (_, frame) => ({
    text: `${sentence[frame % 4]}`,
    start: frame / 25,
    end: (frame + 1) / 25,
    start_frame: frame,
    // A word ends within a frame, in which the next begins.
    end_frame: frame + 2,
    confidence: frame % 4 === 2 ? 0.3 : 0.9,
  })),
}

describe('the transcript of footage', { ...slow, timeout: 240_000 }, () => {
  const room = use(openCuttingRoom)

  it('a slash finds in the transcript from any tab, and letters after it are no shortcuts', async () => {
    const { page, close } = await room.openReview()
    await withTranscript(page)
    await page.getByRole('tab', { name: 'Selects' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('fog')
    const field = page.getByRole('searchbox', { name: 'Find in the transcript' })
    assert.equal(await field.inputValue(), 'fog')
    assert.equal(await page.locator('[data-marked-range]').count(), 0)
    const count = page.getByRole('tabpanel').getByRole('status')
    assert.equal(await count.innerText(), `${paragraphs} found`)
    await page.keyboard.press('Enter')
    assert.equal(await frameOf(page), 3)
    await page.keyboard.press('Enter')
    assert.equal(await frameOf(page), 7)
    assert.equal(await count.innerText(), `2 of ${paragraphs}`)
    // A passage of several words; backwards from the first is the last, which comes into view.
    await field.fill('Grey, fog')
    for (const key of ['Enter', 'Shift+Enter', 'Shift+Enter', 'Shift+Enter']) {
      await page.keyboard.press(key)
    }
    assert.equal(await count.innerText(), `${paragraphs} of ${paragraphs}`)
    const last = page.getByRole('tabpanel').locator('p').last()
    assert.ok(await last.evaluate((row) => row.checkVisibility({ contentVisibilityAuto: true })))
    await field.fill('nowhere said')
    assert.equal(await count.innerText(), 'None found')
    await close()
  })

  it('the transcript names the sound that was heard, as the metadata do', async () => {
    const { page, close } = await room.openReview()
    const sound = { codec: 'aac', channels: 1, layout: 'mono', sample_rate: 48_000 }
    const audio = [1, 2].map((index) => ({ ...sound, index, language: null, title: null }))
    await page.route('**/results', async (route) => {
      const answer = await route.fetch()
      const { results } = (await answer.json()) as { results: { media: object } }
      const media = { ...results.media, audio }
      const transcription = { ...spoken, audio_track: 1 }
      await route.fulfill({ json: { results: { ...results, media, transcription } } })
    })
    await page.reload()
    await page.getByText('Heard in Sound 2,').waitFor()
    await page.getByRole('tab', { name: 'Metadata' }).click()
    const names = page.getByRole('tabpanel').locator('dt', { hasText: 'Sound' })
    assert.deepEqual(await names.allTextContents(), ['Sound 1', 'Sound 2'])
    await close()
  })

  it('words selected in the transcript are the passage that a select takes', async () => {
    const { page, close } = await room.openReview()
    await withTranscript(page)
    const rows = page.getByRole('tabpanel').locator('p')
    const [from, to] = [await rows.first().boundingBox(), await rows.nth(1).boundingBox()]
    assert.ok(from && to)
    // From within the second word of the first paragraph into the first word of the second.
    const second = await rows.first().evaluate((row) => {
      const range = document.createRange()
      range.setStart(row.firstChild!, 'Wait f'.length)
      return range.getBoundingClientRect().left
    })
    await page.mouse.move(second, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 12, to.y + to.height / 2, { steps: 4 })
    await page.mouse.up()
    assert.equal(await page.locator('[data-marked-range]').count(), 1)
    assert.equal(await frameOf(page), 1)
    // The words stay selected; a click elsewhere does not lead back to them.
    for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('button', { name: /^Zoom in/ }).click()
    assert.equal(await page.evaluate(() => getSelection()?.isCollapsed), false)
    assert.equal(await frameOf(page), 3)
    await page.keyboard.press('h')
    await page.getByRole('tab', { name: 'Selects 1' }).click()
    await page.getByRole('button', { name: /^00:00:00:01 – 00:00:00:06 / }).waitFor()
    // The tab was clicked, so arrows still step. With In alone the range goes to the clip's end, as
    // the timeline shows it, wherever the playhead is.
    for (const key of ['Shift+ArrowRight', 'Shift+ArrowRight', 'i']) await page.keyboard.press(key)
    for (const key of ['Shift+ArrowLeft', 'Shift+ArrowLeft', 'h']) await page.keyboard.press(key)
    await page.getByRole('tab', { name: 'Selects 2' }).waitFor()
    await page.getByRole('button', { name: /^00:00:02:03 – 00:00:10:00 / }).waitFor()
    await close()
  })

  it('the transcript follows the playhead word by word, and leads to the word clicked', async () => {
    const { page, close } = await room.openReview()
    await withTranscript(page)
    const rows = page.getByRole('tabpanel').locator('p')
    await rows.first().waitFor()
    assert.equal(await rows.first().innerText(), 'Wait for grey fog.')
    assert.deepEqual(await rows.first().locator('.unsure').allInnerTexts(), ['grey'])
    for (const word of ['for', 'grey', 'fog.', 'Wait']) {
      await page.keyboard.press('ArrowRight')
      assert.deepEqual(await highlighted(page, 'spoken'), [word])
    }
    assert.equal(await page.locator('[data-current]').count(), 1)
    assert.match(await page.locator('[data-current]').innerText(), /^00:00:00:04\s/)
    const unsure = rows.nth(2).locator('.unsure')
    await unsure.click()
    assert.equal(await frameOf(page), 10)
    const box = await unsure.boundingBox()
    assert.ok(box)
    await page.mouse.click(box.x + box.width + 12, box.y + box.height / 2)
    assert.equal(await frameOf(page), 11)
    await close()
  })

  it('of what is found in a long transcript only that near the view is marked, so that steps stay quick', async () => {
    const { page, close } = await room.openReview()
    await withTranscript(page)
    await page.getByRole('searchbox', { name: 'Find in the transcript' }).fill('r grey f')
    await page.waitForFunction(() => (CSS.highlights.get('found')?.size ?? 0) > 0)
    const marked = await highlighted(page, 'found')
    assert.deepEqual([...new Set(marked)], ['r grey f'])
    assert.ok(marked.length < paragraphs, `${marked.length} marked`)
    await page.getByRole('tabpanel').locator('p').last().scrollIntoViewIfNeeded()
    await page.waitForFunction(() => {
      const last = [...document.querySelectorAll('[role=tabpanel] p')].at(-1)
      return [...(CSS.highlights.get('found') ?? [])].some((at) =>
        last?.contains(at.startContainer),
      )
    })
    assert.deepEqual(await page.evaluate(() => [...CSS.highlights.keys()].toSorted()), [
      'found',
      'spoken',
    ])
    await close()
  })
})

async function withTranscript(page: Page): Promise<void> {
  await page.route('**/results', async (route) => {
    const answer = await route.fetch()
    const { results } = (await answer.json()) as { results: object }
    await route.fulfill({ json: { results: { ...results, transcription: spoken } } })
  })
  await page.reload()
  await page.getByRole('tab', { name: 'Transcript' }).waitFor()
}

async function highlighted(page: Page, name: string): Promise<string[]> {
  return page.evaluate((name) => {
    const textOf = ({ startContainer, startOffset, endContainer, endOffset }: AbstractRange) => {
      const range = document.createRange()
      range.setStart(startContainer, startOffset)
      range.setEnd(endContainer, endOffset)
      return range.toString()
    }
    return [...(CSS.highlights.get(name) ?? [])].map(textOf)
  }, name)
}
