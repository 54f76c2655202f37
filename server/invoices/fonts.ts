/**
 * The faces of an invoice. DejaVu covers Latin, Greek, Cyrillic, Hebrew and Arabic; Noto Sans
 * covers Chinese and Japanese, and Korean. A PDF holds only the glyphs that it shows.
 */
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)

export type Face = 'latin' | 'han' | 'hangul'

export interface Run {
  text: string
  face: Face
}

const han =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u
const hangul = /\p{Script=Hangul}/u

/** Cuts a text where its typeface changes; a space belongs to the run before it. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (const character of text) {
    const last = runs.at(-1)
    const face = last && /\s/u.test(character) ? last.face : faceOf(character)
    if (last?.face === face) last.text += character
    else runs.push({ text: character, face })
  }
  return runs
}

/** Finds the font file when an invoice needs it: most invoices need only one. */
export function fontFile(face: Face, isBold: boolean): string {
  const weight = isBold ? 'Bold' : 'Regular'
  // These two packages export only a list of their files, not the files.
  if (face === 'han') {
    return join(require.resolve('@embedpdf/fonts-sc'), `../../fonts/NotoSansHans-${weight}.otf`)
  }
  if (face === 'hangul') {
    return join(require.resolve('@embedpdf/fonts-kr'), `../../fonts/NotoSansKR-${weight}.otf`)
  }
  return isBold
    ? require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
    : require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')
}

function faceOf(character: string): Face {
  if (hangul.test(character)) return 'hangul'
  return han.test(character) ? 'han' : 'latin'
}
