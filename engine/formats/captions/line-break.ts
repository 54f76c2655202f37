/** Where a caption may break: after punctuation, before a small word, never after one. */

interface Breakable {
  text: string
  /** Width of the text in columns. */
  width: number
  glued: boolean
  startsSentence: boolean
  endsSentence: boolean
}

/** Maximum reading speed per second. */
export const charactersPerSecond = 20

interface CaptionShape {
  lineLength: number
  lines: number
}

/** English words that belong to the words after them, so lines should not end with them. */
const leaning = new Set(
  (
    'a an the and or but nor so yet if as at by for from in into of off on onto to with without ' +
    'my your his her its our their this that these those i you he she it we they who which ' +
    'is am are was were be been has have had do does did will would can could shall should may ' +
    'might must not no very more mr mrs ms dr'
  ).split(' '),
)

/** English words that a new line likes to start with. */
const opening = new Set(
  'and or but nor so yet if because although though while when where who which that to for with from in on at of by as'.split(
    ' ',
  ),
)

/**
 * Lines of the text, as few as needed. A text that does not fit is broken as evenly as it can be.
 */
export function breakLines(words: readonly Breakable[], shape: CaptionShape): string[] {
  for (let count = 1; count <= shape.lines; count++) {
    const lines = bestLines(words, count, shape.lineLength)
    if (lines) return lines.lines
  }
  return [joinWords(words)]
}

/** Filling each line as far as it goes needs the fewest lines, so that decides. */
export function fitsLines(words: readonly Breakable[], shape: CaptionShape): boolean {
  let count = 1
  let filled = 0
  for (const word of words) {
    const added = filled === 0 || word.glued ? word.width : word.width + 1
    if (filled + added <= shape.lineLength) {
      filled += added
    } else {
      count++
      filled = word.width
    }
    if (count > shape.lines || filled > shape.lineLength) return false
  }
  return true
}

/** The cost of a caption of these words: captions should be few, whole and not too quick. */
export function phraseCost(words: readonly Breakable[], lengthSeconds: number): number {
  const last = words.at(-1)!
  let inner = last.endsSentence ? -1 : 0
  let width = 0
  for (const word of words) {
    width += word.glued ? word.width : word.width + 1
    if (word.endsSentence) inner++
  }
  // Two short sentences may share a caption; the rest of one and the start of another may not.
  const whole = words[0]!.startsSentence && last.endsSentence
  const tooFast = Math.max(0, width / Math.max(lengthSeconds, 0.2) - charactersPerSecond)
  return (
    10 +
    (last.endsSentence ? 0 : breakCost(last, undefined)) +
    inner * (whole ? 4 : 18) +
    (words.length === 1 && !last.endsSentence ? 8 : 0) +
    (lengthSeconds < 1 ? 4 : 0) +
    Math.min(10, tooFast / 2)
  )
}

/** Columns on the screen: wide characters take two. */
export function textWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let width = 0
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue
    width +=
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff00-\uff60]/u.test(
        character,
      )
        ? 2
        : 1
  }
  return width
}

export function joinWords(words: readonly Breakable[]): string {
  return words.reduce((line, word, index) => {
    return index === 0 || word.glued ? line + word.text : `${line} ${word.text}`
  }, '')
}

function bestLines(
  words: readonly Breakable[],
  count: number,
  lineLength: number,
): { lines: string[]; cost: number } | null {
  const whole = joinWords(words)
  if (count === 1) return textWidth(whole) <= lineLength ? { lines: [whole], cost: 0 } : null
  let best: { lines: string[]; cost: number } | null = null
  for (let at = 1; at < words.length; at++) {
    const line = joinWords(words.slice(0, at))
    const width = textWidth(line)
    if (width > lineLength) break
    const rest = bestLines(words.slice(at), count - 1, lineLength)
    if (!rest) continue
    const below = textWidth(rest.lines[0]!)
    // A longer line below sits steadier than a longer line above.
    const shape = Math.abs(width - below) * 0.3 + (width > below ? 1 : 0)
    const cost = rest.cost + breakCost(words[at - 1]!, words[at]) + shape
    if (!best || cost < best.cost) best = { lines: [line, ...rest.lines], cost }
  }
  return best
}

function breakCost(before: Breakable, after: Breakable | undefined): number {
  if (before.endsSentence) return 0
  if (/[,;:—–-]$/u.test(before.text)) return 2
  const weak = leaning.has(before.text.toLowerCase())
  const opens = after !== undefined && opening.has(after.text.toLowerCase())
  return weak ? 12 : opens ? 3 : 6
}
