/** What axe finds on a page in every theme and colour preset. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const presets = ['default', 'ocean', 'forest', 'sunset']
const themes = ['light', 'dark'] as const

/**
 * All rules once in each theme; in the other presets only what a preset can change, the contrast.
 */
export async function violationsInEveryLook(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(axe)
  const looks = themes.flatMap((theme) => presets.map((preset) => ({ theme, preset })))
  return page.evaluate(
    async ({ looks, part }) => {
      const { axe } = window as unknown as { axe: typeof Axe }
      const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const found: string[] = []
      for (const { theme, preset } of looks) {
        document.documentElement.dataset.theme = theme
        document.documentElement.dataset.preset = preset
        const runOnly = preset === 'ocean' ? everything : ['color-contrast']
        const { violations } = await axe.run(part, { runOnly, resultTypes: ['violations'] })
        for (const { id, nodes } of violations) {
          for (const node of nodes) {
            found.push(
              `${theme} ${preset} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`,
            )
          }
        }
      }
      return found
    },
    { looks, part },
  )
}
