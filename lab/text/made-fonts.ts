/** The fonts of made slates and titles. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { seeded } from '../../test/support/random.ts'

const modules = path.join(import.meta.dirname, '../../node_modules')

/** `tune` is for choosing constants; figures are reported on `test`, which has other fonts. */
export const fontSets = {
  tune: ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono', 'Geist'],
  test: [
    ...['Permanent Marker', 'Bebas Neue', 'Courier Prime', 'Oswald'],
    ...['Geist Mono', 'DejaVu Sans Condensed'],
  ],
} as const

/** The one that is written by hand. */
export const handwriting = 'Permanent Marker'

/** Fonts that have capitals only, whatever is typed. */
export const capitalFonts: readonly string[] = ['Permanent Marker', 'Bebas Neue']

const fontFiles: Record<string, string> = {
  Geist: '@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  'Geist Mono': '@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  'Permanent Marker': '@fontsource/permanent-marker/files/permanent-marker-latin-400-normal.woff2',
  'Bebas Neue': '@fontsource/bebas-neue/files/bebas-neue-latin-400-normal.woff2',
  'Courier Prime': '@fontsource/courier-prime/files/courier-prime-latin-400-normal.woff2',
  Oswald: '@fontsource/oswald/files/oswald-latin-400-normal.woff2',
}

export type FontSet = keyof typeof fontSets

/** Seeds next to each other give numbers that have nothing in common. */
export function randomFrom(seed: number): () => number {
  return seeded(seed * 2_654_435_761)
}

export async function fontRules(): Promise<string> {
  const rules: string[] = []
  for (const [name, file] of Object.entries(fontFiles)) {
    const bytes = await readFile(path.join(modules, file))
    const address = `data:font/woff2;base64,${bytes.toString('base64')}`
    rules.push(`@font-face{font-family:'${name}';src:url(${address});font-weight:100 900}`)
  }
  return rules.join('')
}
