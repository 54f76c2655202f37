/** A cut edited by keys, fields, mouse and finger: every frame stays where it was put. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  chooseFirstPassage,
  boxOf,
  openCutRoom,
  passages,
  selectWords,
} from '../support/cut-room.ts'
import { slow } from '../support/slow.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

describe('editing a cut', slow, () => {
  const room = use(openCutRoom)

  it('splits, trims, switches off, duplicates and removes', async () => {
    const id = await room.makeCut([room.range(0, 0, 50), room.range(1, 0, 50)])
    const { page, close } = await room.open(`/cuts/${id}`)
    await chooseFirstPassage(page)
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('s')
    const split = await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 3,
    )
    assert.deepEqual(
      split.ranges.map((item) => [item.in, item.out]),
      [
        [0, 5],
        [5, 50],
        [0, 50],
      ],
    )
    const out = page.getByLabel('Out of the clip, in its source’s timecode')
    await out.fill('00:00:00:03')
    await page.keyboard.press('Enter')
    // The field keeps the focus while it trims, also where its passage begins elsewhere.
    await page.keyboard.press('ArrowUp')
    await until(
      () => room.saved(id),
      (cut) => cut.ranges[0]?.out === 4,
    )
    const begin = page.getByLabel('In of the clip, in its source’s timecode')
    await begin.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    assert.equal(await begin.inputValue(), '00:00:00:00')
    await begin.fill('00:00:00:02')
    await page.keyboard.press('Escape')
    assert.equal(await begin.inputValue(), '00:00:00:00')
    assert.deepEqual((await room.saved(id)).ranges[0]?.in, 0)
    await page.getByLabel('Name of the clip').fill('Cold open')
    await page.getByLabel('Note of the clip').fill('Ask Lena')
    await page.keyboard.press('Enter')
    await until(
      () => room.saved(id),
      (cut) => cut.ranges[0]?.name === 'Cold open' && cut.ranges[0].note === 'Ask Lena',
    )
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 4,
    )
    await page.getByRole('button', { name: 'Switch off' }).click()
    await until(
      () => room.saved(id),
      (cut) => cut.ranges[0]?.disabled === true,
    )
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    const rest = await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 3,
    )
    assert.deepEqual([rest.ranges[0]?.in, rest.ranges[0]?.out], [0, 4])
    await close()
  })

  it('passages and hits are dragged to their place by mouse', async () => {
    const [a, b, c] = [room.range(0, 0, 50), room.range(1, 0, 50), room.range(2, 0, 50)]
    const id = await room.makeCut([a, b, c], 'Dragged')
    const { page, close } = await room.open(`/cuts/${id}`)
    await page.getByText('waited', { exact: false }).waitFor()
    const handle = (at: number) =>
      boxOf(
        passages(page)
          .nth(at)
          .getByRole('button', { name: /^Move clip/ }),
      )
    const from = await handle(0)
    const to = await boxOf(passages(page).nth(2))
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(to.x + 100, to.y + to.height - 6, { steps: 8 })
    await page.locator('[data-insertion]').waitFor()
    await page.mouse.up()
    await orderOf(id, [b.id, c.id, a.id])
    await page.keyboard.press('Control+z')
    await orderOf(id, [a.id, b.id, c.id])
    await page.keyboard.press('Control+Shift+z')
    await orderOf(id, [b.id, c.id, a.id])

    await page.getByLabel('Search the project’s clips').fill('sound')
    const hit = await boxOf(page.getByRole('list', { name: 'Hits' }).getByRole('listitem').first())
    const first = await boxOf(passages(page).first())
    await page.mouse.move(hit.x + 120, hit.y + 10)
    await page.mouse.down()
    await page.mouse.move(first.x + 100, first.y + 4, { steps: 8 })
    await page.mouse.up()
    const added = await until(
      () => room.saved(id),
      (cut) => cut.ranges.length === 4,
    )
    assert.equal(added.ranges[0]?.content_id, room.clips[4]!.contentId)
    await close()
  })

  async function orderOf(id: string, ids: string[]): Promise<void> {
    await until(
      () => room.saved(id),
      (cut) => cut.ranges.map((item) => item.id).join() === ids.join(),
    )
  }

  it('a finger moves a passage by its handle, and by a rest on its still', async () => {
    const [a, b] = [room.range(0, 0, 50), room.range(1, 0, 50)]
    const id = await room.makeCut([a, b], 'Touched')
    const { page, context, close } = await room.open(`/cuts/${id}`, {
      touch: true,
      width: 390,
      height: 844,
    })
    await page.getByText('waited', { exact: false }).waitFor()
    const session = await context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: Math.round(x), y: Math.round(y) }],
      })
    const isDragging = (wanted: boolean) =>
      page.waitForFunction(
        (on) => document.documentElement.classList.contains('dragging') === on,
        wanted,
      )
    const dragTo = async (at: { x: number; y: number }, y: number): Promise<void> => {
      for (let step = 1; step <= 6; step += 1) {
        await touch('touchMove', at.x, at.y + ((y - at.y) * step) / 6)
      }
      await page.locator('[data-insertion]').waitFor()
      await touch('touchEnd')
      await isDragging(false)
    }
    const handle = await boxOf(
      passages(page)
        .first()
        .getByRole('button', { name: /^Move clip/ }),
    )
    const second = await boxOf(passages(page).nth(1))
    const grip = { x: handle.x + 6, y: handle.y + 8 }
    await touch('touchStart', grip.x, grip.y)
    await dragTo(grip, second.y + second.height - 6)
    await orderOf(id, [b.id, a.id])

    await page.locator('[data-passages]').evaluate((list) => list.scrollTo(0, 0))
    const still = await boxOf(
      passages(page).nth(1).getByRole('button', { name: 'Go to the start of the clip' }),
    )
    const first = await boxOf(passages(page).first())
    const rest = { x: still.x + 20, y: still.y + 20 }
    await touch('touchStart', rest.x, rest.y)
    await isDragging(true)
    await dragTo(rest, first.y + 6)
    await orderOf(id, [a.id, b.id])
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wide <= 0, `${wide} pixels too wide`)
    await close()
  })

  it('trims and struck words land on a cut point nearby, and exactly with Alt', async () => {
    const id = await room.makeCut([room.range(0, 0, 46), room.range(1, 0, 50)], 'Snapped')
    const { page, close } = await room.open(`/cuts/${id}`)
    await chooseFirstPassage(page)
    const grip = page.getByRole('slider', { name: 'Out of clip 1' })
    const strip = await boxOf(page.getByRole('slider', { name: 'Position in the cut' }))
    const frame = (strip.width - 16) / 96
    const drag = async (frames: number): Promise<void> => {
      const box = await boxOf(grip)
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + frames * frame, y, { steps: 4 })
    }
    const outIs = async (out: number): Promise<void> => {
      await until(
        () => room.saved(id),
        (cut) => cut.ranges[0]?.out === out,
      )
      await until(() => grip.getAttribute('aria-valuenow'), String(out))
    }
    await drag(1)
    await page.getByText('+2 f snapped').waitFor()
    await page.mouse.up()
    await outIs(48)
    await page.keyboard.down('Alt')
    await drag(-1)
    await page.getByText('−1 f').waitFor()
    await page.mouse.up()
    await page.keyboard.up('Alt')
    await outIs(47)
    await drag(3)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await grip.focus()
    await page.keyboard.press('ArrowLeft')
    await outIs(46)

    const removed = async (count: number) => {
      const { ranges } = await until(
        () => room.saved(id),
        (cut) => cut.ranges[0]?.removed.length === count,
      )
      return ranges[0]?.removed
    }
    await selectWords(page, 'waited')
    await page.keyboard.press('Backspace')
    assert.deepEqual(await removed(1), [{ in: 10, out: 19 }])
    await selectWords(page, 'waited')
    await page.keyboard.press('Backspace')
    assert.deepEqual(await removed(0), [], 'and with the word its pauses come back')
    await selectWords(page, 'waited')
    await page.keyboard.press('Alt+Backspace')
    assert.deepEqual(await removed(1), [{ in: 11, out: 18 }])
    await close()
  })
})
