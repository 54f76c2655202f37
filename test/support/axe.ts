/** Faults that axe finds on a page in one theme and preset; the whole run takes all of them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'
import { showScrollbars } from './browser.ts'
import { isWholeRun } from './slow.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const presets = ['default', 'ocean', 'forest', 'sunset'] as const
const themes = ['light', 'dark'] as const

interface Look {
  theme: (typeof themes)[number]
  preset: (typeof presets)[number]
}

/**
 * All rules in one look. In the others only what a theme or a preset can change, the colours, and
 * of elements that are painted alike only the first: their contrast is the same.
 */
export async function violationsInLooks(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(axe)
  const [, screen = ''] = new URL(page.url()).pathname.split('/')
  const looks = chooseLooks(`${screen} ${part}`)
  await showScrollbars(page, true)
  const bars = await barsInRows(page, part)
  await showScrollbars(page, false)
  const faults = await page.evaluate(
    async ({ looks, part }) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const ofColours = ['color-contrast', 'link-in-text-block']

      /** Everything that the contrast of an element's own text depends on. */
      const paintOf = (element: Element): string => {
        const { color, fontSize, fontWeight } = getComputedStyle(element)
        const layers: string[] = []
        for (let at: Element | null = element; at; at = at.parentElement) {
          const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at)
          const layer = `${backgroundColor} ${backgroundImage} ${opacity}`
          if (layer !== 'rgba(0, 0, 0, 0) none 1') layers.push(layer)
        }
        return [color, fontSize, fontWeight, ...layers].join('; ')
      }
      const hasText = (element: Element): boolean =>
        element.matches('input, select, textarea') ||
        [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        )
      const differentlyPainted = (): Element[] => {
        const texts = [...document.querySelectorAll(`${part}, ${part} *`)].filter(hasText)
        return [...new Map(texts.toReversed().map((each) => [paintOf(each), each])).values()]
      }

      const faults: string[] = []
      for (const [index, { theme, preset }] of looks.entries()) {
        document.documentElement.dataset.theme = theme
        document.documentElement.dataset.preset = preset
        const resultTypes: ['violations'] = ['violations']
        const { violations } =
          index === 0
            ? await axe.run(part, { runOnly: everything, resultTypes })
            : await axe.run({ include: differentlyPainted() }, { runOnly: ofColours, resultTypes })
        for (const { id, nodes } of violations) {
          for (const node of nodes) {
            faults.push(
              `${theme} ${preset} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`,
            )
          }
        }
      }
      return faults
    },
    { looks, part },
  )
  return [...bars, ...faults]
}

/** Counts scrollbars that take room in a row of tabs, links or filters, or beside it. */
export async function barsInRows(page: Page, part = 'html'): Promise<string[]> {
  return page.evaluate((within) => {
    const maxRowPixels = 64
    const elements = [...document.querySelectorAll<HTMLElement>(`${within}, ${within} *`)]
    return elements
      .filter((element) => {
        const style = getComputedStyle(element)
        const borders = (item: string, other: string) => parseFloat(item) + parseFloat(other)
        const { offsetHeight, clientHeight, offsetWidth, clientWidth } = element
        const below = borders(style.borderTopWidth, style.borderBottomWidth)
        const beside = borders(style.borderLeftWidth, style.borderRightWidth)
        const hasBar =
          offsetHeight - clientHeight - below > 2 || offsetWidth - clientWidth - beside > 2
        const isRow = clientHeight > 0 && clientHeight < maxRowPixels
        return (
          style.display !== 'inline' &&
          isRow &&
          hasBar &&
          !element.matches('select, textarea, pre, [role=region]')
        )
      })
      .map((element) => `a bar in a row: ${element.outerHTML.slice(0, 160)}`)
  }, part)
}

/** In the short run one, another on another screen. */
function chooseLooks(place: string): Look[] {
  const looks = themes.flatMap((theme) => presets.map((preset) => ({ theme, preset })))
  if (isWholeRun) return looks
  const turn = Buffer.from(place).reduce((sum, byte) => sum + byte, 0) % looks.length
  return looks.slice(turn, turn + 1)
}
