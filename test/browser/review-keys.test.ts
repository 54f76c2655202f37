/** How an editor moves through footage: keys, timecodes and zoom. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { goTo } from '../support/by-keyboard.ts'
import { cuts, frameOf, openCuttingRoom } from '../support/review-page.ts'
import { slow } from '../support/slow.ts'
import { use } from '../support/use.ts'

describe('moving through footage', { timeout: 240_000 }, () => {
  const room = use(openCuttingRoom)

  it('zooming and jumping keep the playhead in view', slow, async () => {
    const { page, close } = await room.openReview()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('+')
    assert.deepEqual(await playheadInView(page), [true, true])
    await page.keyboard.press('ArrowUp')
    assert.equal(await frameOf(page), cuts.soft)
    // Arrows on the divider are the divider's.
    const field = page.getByRole('slider', { name: 'Playhead' })
    const before = await field.boundingBox()
    await page.getByRole('separator', { name: 'Height of the timeline' }).press('ArrowUp')
    const after = await field.boundingBox()
    assert.ok(before && after && after.height > before.height)
    assert.equal(await frameOf(page), cuts.soft)
    assert.deepEqual(await playheadInView(page), [true, true])
    for (let press = 0; press < 8; press += 1) await page.keyboard.press('-')
    assert.deepEqual(await playheadInView(page), [true, false])
    await close()
  })

  it(
    'a passage is one select however often it is taken, and decisions are taken back',
    slow,
    async () => {
      const { page, close } = await room.openReview()
      for (const key of ['h', 'h', 'ArrowDown', 'h']) await page.keyboard.press(key)
      await page.getByText('“Select 1” already covers this range.').waitFor()
      await page.getByRole('tab', { name: 'Selects 2' }).click()
      const names = page.getByRole('textbox', { name: 'Name of the select' })
      await names.last().fill('The best')
      await page.getByRole('button', { name: 'Remove Select 1' }).click()
      await page.getByRole('tab', { name: 'Selects 1' }).waitFor()
      await page.keyboard.press('Control+z')
      await page.getByRole('tab', { name: 'Selects 2' }).waitFor()
      assert.equal(await names.last().inputValue(), 'The best')
      await page.keyboard.press('Control+z')
      await page.waitForFunction(
        () => [...document.querySelectorAll('input')].at(-1)?.value === 'Select 2',
      )
      for (const left of [1, 0]) {
        await page.keyboard.press('Control+z')
        await page.getByRole('tab', { name: `Selects ${left}` }).waitFor()
      }
      await page.keyboard.press('Control+z')
      await page.getByText('0 selects').first().waitFor()
      await close()
    },
  )

  it(
    'Space plays after a button was clicked, and presses a button that the keyboard came to',
    slow,
    async () => {
      const { page, close } = await room.openReview()
      const snap = page.getByRole('button', { name: /^Snap/ })
      await snap.click()
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
      await page.keyboard.press('k')
      assert.equal(await snap.getAttribute('aria-pressed'), 'false')
      await page.getByRole('button', { name: /^Select/ }).focus()
      while (!(await snap.evaluate((button) => button === document.activeElement))) {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press(' ')
      assert.equal(await snap.getAttribute('aria-pressed'), 'true')
      await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
      await close()
    },
  )

  it('a text that is no timecode is refused where it was typed', slow, async () => {
    const { page, close } = await room.openReview()
    const field = page.getByRole('textbox', { name: 'Timecode' })
    await field.fill('garbage')
    await field.press('Enter')
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.inputValue(), '00:00:00:00')
    await field.pressSequentially('200')
    await field.press('Enter')
    assert.equal(await frameOf(page), 50)
    assert.equal(await field.getAttribute('aria-invalid'), 'false')
    await close()
  })

  it('J, K and L run, stop and reverse the picture, faster with each press', slow, async () => {
    const { page, close } = await room.openReview()
    const speed = page.getByText(/^-?\d×$/)
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.keyboard.press('l')
    assert.equal(await speed.innerText(), '2×')
    // Far enough that running back takes a while.
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 4)
    await page.keyboard.press('k')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    const stoodAt = await frameOf(page)
    assert.ok(stoodAt > 90, `stood at ${stoodAt}`)
    await page.keyboard.press('j')
    assert.equal(await speed.innerText(), '-1×')
    await page.waitForFunction(
      (from) => Number(document.querySelector('[role=slider]')?.ariaValueNow) < from - 5,
      stoodAt,
    )
    await page.keyboard.press('k')
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Pause (Space)' }).waitFor()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    await close()
  })

  it('arrows move by frames, seconds and cuts', async () => {
    const { page, close } = await room.openReview()
    const steps: [string, number][] = [
      ['ArrowRight', 1],
      ['ArrowRight', 2],
      ['ArrowLeft', 1],
      ['ArrowLeft', 0],
      ['ArrowLeft', 0],
      ['Shift+ArrowRight', 25],
      ['ArrowDown', 50],
      ['ArrowDown', 100],
      ['Shift+ArrowLeft', 75],
      ['ArrowUp', 50],
      ['ArrowUp', 0],
    ]
    for (const [key, frame] of steps) {
      await page.keyboard.press(key)
      assert.equal(await frameOf(page), frame, key)
    }
    await close()
  })

  it(
    'a whole review by the keyboard: threshold, accept, reject, selects and their names',
    slow,
    async () => {
      const { page, jobId, close } = await room.openReview()
      await goTo(page, 'Shot threshold')
      const threshold = page.getByRole('slider', { name: 'Shot threshold' })
      while (Number(await threshold.inputValue()) < 0.9) await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { name: 'Shots 3' }).waitFor()
      assert.equal(await frameOf(page), 0, 'the arrows of a field are its own')
      await goTo(page, /^Shots/)
      await page.keyboard.press('ArrowRight')
      await goTo(page, /^Cut points/)
      await page.keyboard.press('Enter')
      await goTo(page, 'Reject 00:00:04:00')
      await page.keyboard.press('Enter')
      await goTo(page, 'Accept 00:00:08:00')
      await page.keyboard.press(' ')
      await page.getByText('1 accepted · 1 rejected').waitFor()
      await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
      for (const key of ['i', 'Shift+ArrowRight', 'o', 'h']) await page.keyboard.press(key)
      await goTo(page, /^Cut points/)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await goTo(page, 'Name of the select')
      await page.keyboard.press('ControlOrMeta+a')
      const named = page.waitForRequest(
        (request) => request.method() === 'PUT' && /"Harbour h"/.test(request.postData() ?? ''),
      )
      await page.keyboard.type('Harbour h')
      await (await named).response()
      const { review } = await room.user.client.getReview({ params: { id: jobId } })
      assert.equal(review.shot_threshold, 0.9)
      assert.deepEqual(review.accepted_cut_frames, [200])
      assert.deepEqual(review.rejected_cut_frames, [100])
      assert.deepEqual(
        review.selects.map(({ name, start_frame: start, end_frame: end }) => [name, start, end]),
        [['Harbour h', 0, 26]],
      )
      await goTo(page, 'Remove Harbour h')
      await page.keyboard.press('Enter')
      await page.getByText('No selects yet').waitFor()
      await close()
    },
  )

  it('single keys can be switched off, and stay off; arrows still work', slow, async () => {
    const { page, close } = await room.openReview()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.waitFor()
    // The hand that pressed ? rests on the keys: Space must not switch them all off.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]'))
    await page.keyboard.press(' ')
    assert.ok(await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).isChecked())
    await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    for (const key of ['e', 'h', 'l', '?', 'i']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowRight')
    assert.equal(await frameOf(page), 1)
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.getByText('0 selects').waitFor()
    await page.getByRole('button', { name: 'Play (Space)' }).waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Shots 4' }).waitFor()
    await page.keyboard.press('e')
    await page.keyboard.press('ArrowRight')
    assert.equal(await frameOf(page), 1)
    assert.equal(await page.getByRole('dialog').count(), 0)
    // The buttons that the keys stand for are still there, the way back among them.
    await page.getByRole('button', { name: 'All shortcuts' }).click()
    await help.getByRole('checkbox', { name: 'Single-key shortcuts' }).check()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByRole('dialog', { name: 'Export' }).waitFor()
    await close()
  })
})

/** The playhead's line is in view; and there is more of the timeline than the view holds. */
async function playheadInView(page: Page): Promise<[boolean, boolean]> {
  return page.getByRole('slider', { name: 'Playhead' }).evaluate(async (field) => {
    // Scrolling is reported a frame later.
    await new Promise(requestAnimationFrame)
    const view = field.parentElement!
    const line = field.querySelector('.bg-playhead')!.getBoundingClientRect()
    const { left, right } = view.getBoundingClientRect()
    return [line.left >= left && line.right <= right, view.scrollWidth > view.clientWidth]
  })
}
