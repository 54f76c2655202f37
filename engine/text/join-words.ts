/** Joins words of one line that the detector found apart, as wide spaces make it do. */
import type { TextArea } from './areas.ts'
import type { Tilted } from './gray.ts'
import { upright } from './place.ts'

/** How the heights, the places and the gap of two words may differ, in heights. */
const maxHeightRatio = 1.5
const maxStep = 0.3
const maxGap = 0.45
/**
 * Once words are read, the gap may be as wide as one of their letters: in fonts whose letters are
 * all of one width, the space is too.
 */
const maxGapLetters = 1
const maxReadHeightRatio = 1.35

export function joinWords(areas: readonly TextArea[]): TextArea[] {
  const joined: TextArea[] = []
  for (const area of areas.toSorted((a, b) => a.x - b.x)) {
    const before = joined.findIndex((first) => isSameLine(first, area))
    if (before < 0) joined.push(area)
    else {
      const score = Math.min(joined[before]!.score, area.score)
      joined[before] = { ...joinedArea(joined[before]!, area), score }
    }
  }
  return joined.toSorted((a, b) => a.y - b.y || a.x - b.x)
}

interface Word {
  text: string
  area: Tilted
}

/** The areas of lines, each of two words or more that were read apart. */
export function splitLines<Read extends Word>(
  words: readonly Read[],
): { area: Tilted; words: Read[] }[] {
  const lines: { area: Tilted; words: Read[] }[] = []
  for (const word of words.toSorted((a, b) => a.area.x - b.area.x)) {
    const line = lines.find(({ area, words: before }) => isNextWord(area, before.at(-1)!, word))
    if (!line) lines.push({ area: word.area, words: [word] })
    else {
      line.area = joinedArea(line.area, word.area)
      line.words.push(word)
    }
  }
  return lines.filter((line) => line.words.length > 1)
}

function isNextWord(line: Tilted, last: Word, word: Word): boolean {
  const { along, across, height, ratio } = fromTo(line, word.area)
  const letter = Math.min(letterWidth(last), letterWidth(word))
  const gap = along - (line.width + word.area.width) / 2
  const isLevel = Math.abs(across) < maxStep * height && ratio < maxReadHeightRatio
  return isLevel && gap > -0.5 * height && gap < maxGapLetters * letter
}

function letterWidth({ text, area }: Word): number {
  return area.width / text.length
}

function isSameLine(a: TextArea, b: TextArea): boolean {
  const { along, across, height, ratio } = fromTo(a, b)
  const gap = Math.abs(along) - (a.width + b.width) / 2
  return ratio <= maxHeightRatio && Math.abs(across) < maxStep * height && gap < maxGap * height
}

/** The way from one area to the other, along and across their direction. */
function fromTo(
  a: Tilted,
  b: Tilted,
): { along: number; across: number; height: number; ratio: number } {
  const height = Math.min(a.height, b.height)
  const angle = commonAngle(a, b)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const along = (b.x - a.x) * cos + (b.y - a.y) * sin
  const across = (b.y - a.y) * cos - (b.x - a.x) * sin
  return { along, across, height, ratio: Math.max(a.height, b.height) / height }
}

/** The longer one knows the direction better. */
function commonAngle(a: Tilted, b: Tilted): number {
  return a.width > b.width ? a.angle : b.angle
}

function joinedArea(a: Tilted, b: Tilted): Tilted {
  const angle = commonAngle(a, b)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [first, other] = [upright(a, angle), upright(b, angle)]
  const [left, right] = [Math.min(first.left, other.left), Math.max(first.right, other.right)]
  const [top, bottom] = [Math.min(first.top, other.top), Math.max(first.bottom, other.bottom)]
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return {
    ...{ x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top },
    angle,
  }
}
