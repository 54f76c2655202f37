/**
 * Finds the fields of a slate among the lines of one picture. A slate is a form: printed labels
 * (SCENE, TAKE, ROLL …) and a value for each, in the same line as the label, to the right of it or
 * below it. Which layout it is shows in the values: a take is a number, a date looks like a date,
 * so every pair of label and value gets a price, and the cheapest pairs win, each value once.
 */
import { slateFields } from '../../domain/findings/slates.ts'
import type { SlateField } from '../../domain/findings/slates.ts'
import type { Tilted } from './gray.ts'
import { distance, upright } from './place.ts'
import { tidy } from './slate-values.ts'
import { unnamedValues } from './unnamed-values.ts'

export interface SlateValue {
  text: string
  confidence: number
}

export interface SlateReading {
  fields: Partial<Record<SlateField, SlateValue>>
  /** How many labels of a slate stand in the picture. */
  labels: number
  /** Values in the column of a named one whose own labels are covered. */
  unnamed: number
  /** The lines that belong to it, by their place in the list. */
  lines: number[]
}

interface Line {
  text: string
  confidence: number
  area: Tilted
}

/** Labels of the fields, and of others whose values must not be taken for them. */
const labelWords: Record<SlateField | 'other', readonly string[]> = {
  scene: ['SCENE', 'SCN', 'SC', 'SCENE NO', 'SLATE'],
  take: ['TAKE', 'TK', 'TAKE NO'],
  roll: ['ROLL', 'REEL', 'MAG', 'CARD', 'ROLL NO', 'CAM ROLL', 'CAMERA ROLL'],
  camera: ['CAMERA', 'CAM'],
  date: ['DATE'],
  timecode: ['TIMECODE', 'TIME CODE', 'TC'],
  other: [
    ...[
      'PROD',
      'PRODUCTION',
      'PROJECT',
      'TITLE',
      'DIRECTOR',
      'DIR',
      'DOP',
      'DP',
      'CINEMATOGRAPHER',
    ],
    ...['SOUND', 'SOUND ROLL', 'FPS', 'LENS', 'FILTER', 'ISO', 'INT', 'EXT', 'DAY', 'NIGHT', 'MOS'],
    ...['SYNC', 'NITE', 'SHUTTER', 'STOP', 'FRAME RATE', 'CAMERAMAN', 'PROD CO', 'COMPANY', 'UNIT'],
  ],
}

type LabelKind = keyof typeof labelWords

interface Label {
  kind: LabelKind
  line: number
  /** The text after the label in its line. */
  rest: string
}

/**
 * Scene and take beside each other, one of them with more labels, or, where a hand covers labels,
 * one of them with a timecode or two more values, or a date or timecode in a column of five values.
 */
export function isSlate({ fields, labels, unnamed }: SlateReading): boolean {
  const named = Number(Boolean(fields.scene)) + Number(Boolean(fields.take))
  const values = Object.keys(fields).length
  const isDated = Boolean(fields.date ?? fields.timecode)
  return (
    (named === 2 && labels >= 3) ||
    (named === 1 && labels >= 4) ||
    (named >= 1 && labels >= 2 && (values >= 3 || Boolean(fields.timecode))) ||
    (isDated && unnamed >= 2 && values + unnamed >= 5)
  )
}

export function readSlate(seen: readonly Line[]): SlateReading {
  const lines = [...seen, ...joinedDates(seen)]
  const labels = lines.flatMap((line, index) => labelsIn(line.text, index))
  labels.push(...clippedLabels(lines, labels))
  const angle = middle(lines.map(({ area }) => area.angle))
  const places = lines.map(({ area }) => upright(area, angle))
  const isLabel = new Set(labels.filter(({ rest }) => rest === '').map(({ line }) => line))
  const fields: SlateReading['fields'] = {}
  const used = new Set<number>()
  const pairs: { label: Label; value: number; text: string; cost: number }[] = []
  for (const label of labels) {
    if (label.rest !== '') {
      pairs.push({ label, value: label.line, text: label.rest, cost: 0 })
      continue
    }
    for (const [index, line] of lines.entries()) {
      if (isLabel.has(index) || labels.some((other) => other.line === index)) continue
      const away = distance(places[label.line]!, places[index]!)
      if (away === null) continue
      const fits = label.kind === 'other' || tidy(label.kind, line.text) !== null
      pairs.push({ label, value: index, text: line.text, cost: away + (fits ? 0 : 4) })
    }
  }
  const named = new Set<Label>()
  const namedValues: number[] = []
  const belonging = new Set(labels.map(({ line }) => line))
  for (const { label, value, text } of pairs.toSorted((a, b) => a.cost - b.cost)) {
    if (named.has(label) || (used.has(value) && label.rest === '')) continue
    named.add(label)
    used.add(value)
    belonging.add(value)
    if (label.kind === 'other') continue
    const clean = tidy(label.kind, text)
    const line = lines[value]!
    if (clean !== null) namedValues.push(value)
    if (clean === null || (fields[label.kind]?.confidence ?? 0) >= line.confidence) continue
    fields[label.kind] = { text: clean, confidence: line.confidence }
  }
  const kinds = new Set(labels.map(({ kind, line }) => (kind === 'other' ? `other ${line}` : kind)))
  const column = unnamedValues(seen, places, { used, labels: isLabel, named: namedValues })
  addUnlabelled(fields, lines, { used, isForm: kinds.size >= 2 || column.length >= 3, belonging })
  const own = [...belonging].filter((index) => index < seen.length)
  const unnamed = column.filter((index) => !used.has(index)).length
  return { fields, labels: kinds.size, unnamed, lines: own }
}

/** A date whose parts stand so far apart that they were found as words. */
function joinedDates(lines: readonly Line[]): Line[] {
  return lines.flatMap((first) => {
    const joined = [first]
    for (let last = first; joined.length < 3;) {
      const { x, y, width, height, angle } = last.area
      const next = lines.find(({ area }) => {
        const gap = area.x - area.width / 2 - (x + width / 2)
        const level = y + (area.x - x) * Math.tan(angle)
        return gap > -height && gap < 1.6 * height && Math.abs(area.y - level) < 0.5 * height
      })
      if (!next || joined.includes(next)) break
      joined.push(next)
      last = next
    }
    const text = joined.map((line) => line.text).join(' ')
    if (joined.length < 2 || tidy('date', text) === null) return []
    return [{ ...first, text, confidence: Math.min(...joined.map((line) => line.confidence)) }]
  })
}

/** A date and a timecode are known by their form where their label is covered. */
function addUnlabelled(
  fields: SlateReading['fields'],
  lines: readonly Line[],
  state: { used: Set<number>; isForm: boolean; belonging: Set<number> },
): void {
  if (!state.isForm) return
  for (const field of ['timecode', 'date'] as const) {
    if (fields[field]) continue
    const index = lines.findIndex(
      (line, at) => !state.used.has(at) && tidy(field, line.text) !== null,
    )
    const line = lines[index]
    if (!line) continue
    fields[field] = { text: tidy(field, line.text)!, confidence: line.confidence }
    state.used.add(index)
    state.belonging.add(index)
  }
}

/** Labels at the start of a line, and further ones in it: "SCENE 12A TAKE 3". */
function labelsIn(text: string, line: number): Label[] {
  const words = text.split(/[\s:.;|#]+/).filter((word) => word !== '')
  const starts: { kind: LabelKind; at: number; length: number }[] = []
  for (let at = 0; at < words.length; at++) {
    const label = labelAt(words, at, starts.length === 0 && at === 0)
    if (!label) continue
    starts.push({ ...label, at })
    at += label.length - 1
  }
  const isPlain = starts[0]?.at === 0 && exactKind(words.slice(0, starts[0].length).join(' '))
  const glued = isPlain ? null : gluedLabel(text, line)
  if (glued) return [glued]
  if (starts[0]?.at !== 0) return []
  return starts.map(({ kind, at, length }, index) => {
    const end = starts[index + 1]?.at ?? words.length
    const rest = printedText(text, words, at + length, end)
    return { kind, line, rest }
  })
}

/** "E 23" beside a hand that covers "TAK": the end of one label that has no other line. */
function clippedLabels(lines: readonly Line[], labels: readonly Label[]): Label[] {
  const known = new Set(labels.map(({ kind }) => kind))
  if (known.size === 0) return []
  const clipped = lines.flatMap(({ text }, line) => {
    if (labels.some((label) => label.line === line)) return []
    const [, end = '', rest = ''] = clippedLine.exec(text) ?? []
    if (end === '') return []
    const kinds = slateFields.filter(
      (kind) =>
        !known.has(kind) &&
        (rest === '' || tidy(kind, rest) !== null) &&
        labelWords[kind].some((word) => word !== end && word.endsWith(end.toUpperCase())),
    )
    return kinds.length === 1 ? [{ kind: kinds[0]!, line, rest }] : []
  })
  const isForm = known.size >= 2 || (known.has('scene') && clipped.length >= 2)
  return isForm ? clipped : []
}

/** The end of a label with its value, or two letters or more of it alone. */
const clippedLine =
  /^([A-Za-z]{2,5}(?=:?$)|[A-Za-z]{1,5}(?![A-Za-z]*:?$))[\s:.]*((?=\S*\d).+|[A-Z])?$/

/** "TAKE3", "SCEN E: 6B": a space is lost, or one too many. */
function gluedLabel(text: string, line: number): Label | null {
  for (const { kind, pattern } of gluedPatterns) {
    const rest = pattern.exec(text)?.[1]
    if (rest !== undefined) return { kind, line, rest: rest.trim() }
  }
  return null
}

const gluedPatterns = slateFields.flatMap((kind) =>
  labelWords[kind].map((word) => ({
    kind,
    pattern: new RegExp(`^${word.split('').join(' ?')}[\\s:.]*((?=[A-Z]{0,2}\\d).+)$`, 'i'),
  })),
)

/** Words `from` up to `to` cut out of the original text, punctuation between them included. */
function printedText(text: string, words: readonly string[], from: number, to: number): string {
  if (from >= to) return ''
  let at = 0
  for (const word of words.slice(0, from)) at = text.indexOf(word, at) + word.length
  let end = at
  for (const word of words.slice(from, to)) end = text.indexOf(word, end) + word.length
  return text.slice(at, end).replace(/^[\s:.;|#]+/, '')
}

function labelAt(
  words: readonly string[],
  at: number,
  isFirst: boolean,
): { kind: LabelKind; length: number } | null {
  for (const length of [2, 1]) {
    if (at + length > words.length) continue
    const name = words.slice(at, at + length).join(' ')
    // Inside of a line only whole names of fields count: values are words too.
    const kind = isFirst ? kindOf(name) : exactKind(name)
    if (kind) return { kind, length }
  }
  return null
}

function exactKind(name: string): SlateField | null {
  const upper = name.toUpperCase()
  const kind = slateFields.find((field) => labelWords[field].includes(upper))
  return upper.length >= 2 && kind ? kind : null
}

/** A label with at most one wrong letter in four. */
function kindOf(name: string): LabelKind | null {
  if (/\d$|[2-9]|\s.?$/.test(name)) return null
  const upper = name.toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('5', 'S')
  let best: { kind: LabelKind; errors: number } | null = null
  for (const [kind, words] of Object.entries(labelWords) as [LabelKind, readonly string[]][]) {
    for (const word of words) {
      const errors = editDistance(upper, word)
      const allowed = Math.floor(word.length / 4)
      if (errors <= allowed && (!best || errors < best.errors)) best = { kind, errors }
    }
  }
  return best?.kind ?? null
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min(swap, row[j]! + 1, next[j - 1]! + 1)
    }
    row = next
  }
  return row[b.length]!
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
