/** An editor corrects the findings by keyboard and pointer, and nothing gets lost. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noCorrections } from '../../domain/findings/no-corrections.ts'
import { makeClip } from '../../engine/clips.testing.ts'
import { violationsInLooks } from '../support/axe.ts'
import { signedIn, visit } from '../support/browser.ts'
import { exportBy, openStudio } from '../support/browser-job-app.ts'
import { slow } from '../support/slow.ts'
import { setTranscript } from '../support/transcript.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

describe('corrections', { timeout: 240_000 }, () => {
  const studio = use(openStudio)
  const user = use(() => studio.server.user())
  let jobId: string

  before(async () => {
    const clip = await makeClip(
      studio.folder,
      `-f lavfi -i color=0x808080:size=320x180:rate=25:duration=2
        -f lavfi -i testsrc2=size=320x180:rate=25:duration=2
        -f lavfi -i sine=frequency=1000:duration=4
        -filter_complex [0][1]concat=n=2:v=1,format=yuv420p[v] -map [v] -map 2:a
        -c:v libx264 -preset ultrafast spoken.mp4`,
    )
    const content = await studio.upload(user, clip)
    const { project } = await user.client.createProject({ body: { name: 'River' } })
    await user.client.updateContent({
      params: { id: content.id },
      body: { project_id: project.id },
    })
    jobId = (await studio.finish(user, content.id, 'thumbnail,shots,transcription')).id
    await setTranscript(studio.server, { jobId, accountId: user.accountId }, [
      { text: 'We', frame: 5, speaker: 'face-1' },
      { text: 'sail', frame: 16, speaker: 'face-1' },
      { text: 'to', frame: 27, speaker: 'face-1' },
      { text: 'Hamburg,', frame: 38, speaker: 'face-1' },
      { text: 'she', frame: 60, speaker: 'face-2' },
      { text: 'said', frame: 71, speaker: 'face-2' },
    ])
  })

  const open = async (size = {}) => {
    const address = `${studio.server.url}/jobs/${jobId}`
    const opened = await visit(studio.browser, address, { storage: signedIn(user), ...size })
    await opened.page.getByRole('button', { name: 'Correct the words at 00:00:00:05' }).waitFor()
    return opened
  }
  const saved = () => user.client.getCorrections({ params: { id: jobId } })
  const untilSaved = (page: Page) =>
    page.getByRole('region', { name: 'Corrections' }).getByText('Saved', { exact: true }).waitFor()

  it('words are corrected by keys, marked, undone and redone, and reach the file', async () => {
    const { page, close } = await open()
    const text = page.getByRole('tabpanel').locator('p', { hasText: 'sail' })
    const field = page.getByRole('textbox', { name: 'Words of this paragraph' })
    await page.keyboard.press('c')
    await field.fill('We row to Homburg,')
    // Another paragraph that is opened saves this one, and stays open.
    await page.getByRole('button', { name: 'Correct the words at 00:00:02:10' }).click()
    await page.locator('.corrected', { hasText: 'Homburg,' }).waitFor()
    assert.equal(await field.inputValue(), 'she said')
    await page.keyboard.press('Escape')
    await text.locator('visible=true').waitFor({ state: 'detached' })
    await untilSaved(page)
    await page.locator('.corrected', { hasText: 'Homburg,' }).waitFor()
    assert.deepEqual(
      (await saved()).corrections.words.map(({ from, to }) => [from, to]),
      [
        ['sail', 'row'],
        ['Hamburg,', 'Homburg,'],
      ],
    )
    await page.keyboard.press('Control+z')
    await page.locator('.corrected').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+Shift+z')
    await page.locator('.corrected', { hasText: 'row' }).waitFor()
    assert.match(await exportBy(page, /^SRT/), /We row to Homburg,/)
    await page.getByRole('button', { name: '2 corrections' }).click()
    const list = page.getByRole('dialog', { name: 'Corrections' })
    await list.getByRole('button', { name: /Revert: “sail”/ }).click()
    await list.getByRole('button', { name: /Revert: “Hamburg,”/ }).click()
    await page.keyboard.press('Escape')
    await page.locator('.corrected').waitFor({ state: 'detached' })
    await untilSaved(page)
    assert.deepEqual((await saved()).corrections, noCorrections)
    await close()
  })

  it(
    'a paragraph is split, a word struck, a phrase replaced, a speaker named and merged',
    slow,
    async () => {
      const { page, close } = await open({ width: 390, height: 844 })
      const field = page.getByRole('textbox', { name: 'Words of this paragraph' })
      const panel = page.getByRole('tabpanel')
      await page.getByRole('button', { name: 'Correct the words at 00:00:00:05' }).click()
      await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(8, 8))
      await page.getByRole('button', { name: 'Split here' }).click()
      await panel.getByText('to Hamburg,', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Correct the words at 00:00:02:10' }).click()
      await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 8))
      await page.getByRole('button', { name: 'Not spoken' }).click()
      await page.locator('.struck', { hasText: 'said' }).waitFor()
      await page.getByRole('button', { name: 'Replace…' }).click()
      const replacing = page.getByRole('dialog', { name: 'Find and replace' })
      await replacing.getByLabel('Find', { exact: true }).fill('hamburg')
      await replacing.getByLabel('Replace with').fill('Bremen')
      assert.deepEqual(await violationsInLooks(page), [])
      await replacing.getByRole('button', { name: 'Replace 1 place' }).click()
      await panel.getByText('Bremen,').waitFor()
      await page.getByRole('button', { name: /^Person 1 at 00:00:00:05/ }).click()
      const naming = page.getByRole('dialog', { name: 'Who speaks' })
      await naming.getByLabel('Name').fill('Anna')
      assert.deepEqual(await violationsInLooks(page), [])
      await naming.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('button', { name: /^Person 2 at/ }).click()
      await naming.getByLabel('Name').fill('Anna')
      await naming.getByText('the two become one').waitFor()
      await naming.getByRole('button', { name: 'Merge' }).click()
      await page.getByRole('button', { name: /^Person 2 at/ }).waitFor({ state: 'detached' })
      await untilSaved(page)
      const { corrections } = await saved()
      assert.deepEqual(corrections.speakers.names, { 'face-1': 'Anna', 'face-2': 'Anna' })
      assert.deepEqual(corrections.paragraphs, [{ at: 27 / 25, action: 'split' }])
      assert.match(await exportBy(page, /^SRT/), /Bremen/)
      assert.deepEqual(await violationsInLooks(page), [])
      await close()
    },
  )

  it('shots are split, merged, moved and retyped, and the EDL follows', slow, async () => {
    const { page, close } = await open()
    await page.getByRole('tab', { name: 'Shots 2' }).click()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('b')
    await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
    await page.getByRole('tabpanel').getByText('corrected').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('tab', { name: 'Shots 2' }).waitFor()
    assert.match(await exportBy(page, /^EDL/), /00:00:01:00 00:00:04:00/)
    await page.keyboard.press('ArrowRight')
    const menu = async (item: string | RegExp, role: 'menuitem' | 'menuitemradio' = 'menuitem') => {
      await page.getByRole('button', { name: 'Correct shot 02' }).click()
      await page.getByRole(role, { name: item }).click()
    }
    await menu('Move its start to the playhead')
    await page.getByRole('tabpanel').getByText('00:00:01:01').waitFor()
    await menu('Dissolve', 'menuitemradio')
    await page.getByRole('tabpanel').getByText('dissolve', { exact: true }).waitFor()
    await menu(/^Revert/)
    await page.getByRole('tabpanel').getByText('00:00:02:00').waitFor()
    await untilSaved(page)
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 2' }).click()
    await page.getByRole('button', { name: 'Correct shot 01' }).click()
    await page.getByRole('menuitem', { name: /^Revert/, disabled: true }).waitFor()
    assert.deepEqual((await saved()).corrections.shots, noCorrections.shots)
    await close()
  })

  it('two tabs correct the same word: both versions are shown, and one decides', slow, async () => {
    const first = await open()
    const second = await open()
    await say(first.page, 'They sail')
    await untilSaved(first.page)
    await say(second.page, 'You sail')
    const question = second.page.getByRole('dialog', { name: 'Corrected twice' })
    await question.getByRole('option', { name: 'Theirs: “We” is “They”' }).waitFor({
      state: 'attached',
    })
    assert.deepEqual(await violationsInLooks(second.page), [])
    await question.getByRole('button', { name: 'Keep mine' }).click()
    await untilSaved(second.page)
    const words = (await saved()).corrections.words.map((word) => word.to)
    assert.ok(words.includes('You') && !words.includes('They'), words.join())
    await first.close()
    await second.close()
  })

  it(
    'without a connection corrections are kept, also over a reload, and sent later',
    slow,
    async () => {
      const { page, context, close } = await open()
      await context.route('**/corrections', (route) =>
        route.request().method() === 'PUT' ? route.abort() : route.continue(),
      )
      await say(page, 'Nobody sail')
      await page.getByText('Offline. Kept here and sent later').waitFor()
      await page.reload()
      await page.locator('.corrected', { hasText: 'Nobody' }).waitFor()
      await context.unroute('**/corrections')
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
      await untilSaved(page)
      await until(saved, ({ corrections }) =>
        corrections.words.some((word) => word.to === 'Nobody'),
      )
      await close()
    },
  )

  it('corrections that a later run no longer fits are listed', slow, async () => {
    const { corrections, version } = await saved()
    const lost = { start: 3, end: 3.2, from: 'Bremen', to: 'Berlin' }
    const body = { ...corrections, words: [...corrections.words, lost], version }
    await user.client.saveCorrections({ params: { id: jobId }, body })
    const { page, close } = await open()
    await page.getByRole('button', { name: '1 correction no longer matches' }).click()
    const list = page.getByRole('dialog', { name: 'Corrections' })
    await list.getByText('“Bremen” is “Berlin”').waitFor()
    assert.deepEqual(await violationsInLooks(page), [])
    await close()
  })
})

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Correct the words at 00:00:00:05' }).click()
  await page.getByRole('textbox', { name: 'Words of this paragraph' }).fill(text)
  await page.keyboard.press('Enter')
}
