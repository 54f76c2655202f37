/** The keyboard's way through a page, with no pointer. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const maxStops = 150

/** Presses Tab until the focus stands on what is named so. */
export async function goTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < maxStops; stop += 1) {
    const focused = await focusedName(page)
    const isThere = typeof name === 'string' ? focused === name : name.test(focused)
    if (isThere) return
    passed.push(focused)
    await page.keyboard.press('Tab')
  }
  assert.fail(`${String(name)} is not on the way: ${passed.join(' | ')}`)
}

/** In a frame, if the focus is there: the provider's own card fields are in one. */
async function focusedName(page: Page): Promise<string> {
  for (const frame of page.frames().toReversed()) {
    // A frame that is going away has no focus.
    const name = await frame.evaluate(nameOfFocused).catch(() => '')
    if (name) return name
  }
  return ''
}

/** Runs in the page: a listener's view, near enough for buttons, links and fields. */
function nameOfFocused(): string {
  const focused = document.activeElement
  if (!document.hasFocus() || !focused || focused === document.body) return ''
  const label = focused instanceof HTMLInputElement ? focused.labels?.[0]?.textContent : null
  const shown = focused.cloneNode(true) as Element
  for (const hidden of shown.querySelectorAll('[aria-hidden=true]')) hidden.remove()
  const name = focused.getAttribute('aria-label') ?? label ?? shown.textContent ?? ''
  return name.trim()
}
