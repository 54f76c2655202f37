/**
 * Reads the text of one frame: a detector finds the areas, a recogniser reads each (PP-OCRv4). The
 * detector's cost grows with the frame (165 ms at 640, 700 ms at 1,280), so it reads a small
 * version first, and full size only around small print and forms. Lines known from the frame before
 * are not recognised again.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as ort from '../models/onnx.ts'
import { openModel } from '../models/session.ts'
import { loadWeights } from '../models/weights.ts'
import { findAreas } from './areas.ts'
import type { TextArea } from './areas.ts'
import { decodeLine } from './decode.ts'
import { cropTilted, resizeGray } from './gray.ts'
import type { Box, Gray, Tilted } from './gray.ts'
import { joinWords, splitLines } from './join-words.ts'

export interface ReadLine {
  text: string
  /** The mean certainty of its characters. */
  confidence: number
  area: Tilted
}

export interface FrameReader {
  /** Lines of a part of the picture, and the known ones that the picture still shows elsewhere. */
  read(image: Gray, input: { part: Box; known: readonly ReadLine[] }): Promise<ReadLine[]>
}

/** The first look scales the frame down to this many pixels (640 × 360). */
const firstLookPixels = 230_400
const lineHeight = 48
const minLineWidth = 48
const maxLineWidth = 1600
const minConfidence = 0.6
/** A line of fewer characters must be surer: textures look like an I or an o. */
const minShortConfidence = 0.8
const maxLines = 60
/** A line so near to the border of its part goes on outside; it is read again with this room. */
const borderReach = 5
const borderRoom = 160
const maxLooks = 3
const smallPrint = 22
const manyAreas = 4
/** Room around the areas of the first look, and beside a form as a part of its width. */
const margin = 24
const besideForm = 0.3
/** The part of an area of the second look that makes it one with an area of the first. */
const minCovered = 0.5
const mean = [0.485, 0.456, 0.406]
const deviation = [0.229, 0.224, 0.225]

export async function createFrameReader(): Promise<FrameReader> {
  const folder = await loadWeights('pp-ocr-v4')
  const open = (name: string) => openModel(path.join(folder, name))
  const detector = await open('ch_PP-OCRv4_det_infer.onnx')
  const recogniser = await open('ch_PP-OCRv4_rec_infer.onnx')
  const keys = await readFile(path.join(folder, 'ppocr_keys_v1.txt'), 'utf8')
  // Number 0 is "no character"; the space comes last.
  const characters = ['', ...keys.replace(/\r?\n$/, '').split(/\r?\n/), ' ']

  async function detect(image: Gray): Promise<TextArea[]> {
    const { data, width, height } = detectorInput(image)
    const input = new ort.Tensor('float32', data, [1, 3, height, width])
    const output = await detector.run({ [detector.inputNames[0]!]: input })
    const map = output[detector.outputNames[0]!]!.data as Float32Array
    const areas = findAreas(map, width, height)
    return areas.map((area) => scaled(area, image.width / width, image.height / height))
  }

  async function recognise(image: Gray, area: Tilted): Promise<ReadLine | null> {
    const wanted = Math.round((lineHeight * area.width) / area.height)
    const inner = Math.min(maxLineWidth, Math.max(8, wanted))
    const line = cropTilted(image, area, inner, lineHeight)
    const width = Math.max(minLineWidth, Math.ceil(inner / 16) * 16)
    const input = new ort.Tensor('float32', recogniserInput(line, width), [1, 3, lineHeight, width])
    const output = await recogniser.run({ [recogniser.inputNames[0]!]: input })
    const result = output[recogniser.outputNames[0]!]!
    const steps = result.dims[1]!
    const { text, confidence } = decodeLine(result.data as Float32Array, {
      steps,
      characters,
      line,
      pixelsPerStep: width / steps,
    })
    const limit = text.length < 3 ? minShortConfidence : minConfidence
    return text === '' || confidence < limit ? null : { text, confidence, area }
  }

  return {
    async read(image, input) {
      const { known } = input
      let { part } = input
      let result = await findLines(cutOut(image, part))
      for (let looks = 1; looks < maxLooks; looks++) {
        const longer = lengthened(part, result, image.width)
        if (!longer) break
        part = longer
        result = await findLines(cutOut(image, part))
      }
      const areas = joinWords(result.map((area) => moved(area, part)))
      const lines = known.filter(({ area }) => !overlap(boxOf(area), part))
      for (const area of areas.slice(0, maxLines)) {
        const line =
          known.find((line) => isSameArea(line.area, area)) ?? (await recognise(image, area))
        if (line) lines.push(line)
      }
      return await joinRead(image, lines)
    },
  }

  /** Reads a line again as one where its words were read apart, and keeps the surer reading. */
  async function joinRead(image: Gray, lines: readonly ReadLine[]): Promise<ReadLine[]> {
    const joined: ReadLine[] = [...lines]
    for (const { area, words } of splitLines(lines)) {
      const parts: ReadLine = {
        text: words.map(({ text }) => text).join(' '),
        confidence: Math.min(...words.map(({ confidence }) => confidence)),
        area,
      }
      const read = await recognise(image, area)
      joined.push(read && read.confidence > parts.confidence - 0.05 ? read : parts)
      for (const word of words) joined.splice(joined.indexOf(word), 1)
    }
    return joined
  }

  /** Looks at a small version first; a part that is small itself needs one look. */
  async function findLines(image: Gray): Promise<TextArea[]> {
    const small = fitted(image, firstLookPixels)
    const shrunk = image.width / small.width
    const first = (await detect(small)).map((area) => scaled(area, shrunk, shrunk))
    const part = shrunk > 1.2 && needsMore(first) ? partAround(first, image) : null
    return part ? await lookAgain(image, part, first, detect) : first
  }
}

/** A part with room where a line reaches its left or right border; null where none does. */
export function lengthened(part: Box, areas: readonly Tilted[], frameWidth: number): Box | null {
  const boxes = areas.map(boxOf)
  const isCutLeft = part.left > 0 && boxes.some(({ left }) => left < borderReach)
  const end = part.right - part.left - borderReach
  const isCutRight = part.right < frameWidth && boxes.some(({ right }) => right > end)
  if (!isCutLeft && !isCutRight) return null
  return {
    ...part,
    left: isCutLeft ? Math.max(0, part.left - borderRoom) : part.left,
    right: isCutRight ? Math.min(frameWidth, part.right + borderRoom) : part.right,
  }
}

/** A part that holds whole lines: those that it touches belong to it. */
export function widened(part: Box, areas: readonly Tilted[]): Box {
  let wide = part
  for (const area of areas) {
    const box = boxOf(area)
    if (!overlap(box, wide)) continue
    wide = {
      left: Math.max(0, Math.floor(Math.min(wide.left, box.left))),
      top: Math.max(0, Math.floor(Math.min(wide.top, box.top))),
      right: Math.ceil(Math.max(wide.right, box.right)),
      bottom: Math.ceil(Math.max(wide.bottom, box.bottom)),
    }
  }
  return wide
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top
}

function moved(area: TextArea, { left, top }: Box): TextArea {
  return { ...area, x: area.x + left, y: area.y + top }
}

/** Small print, a form of many parts, or areas too high for one line. */
function needsMore(areas: readonly Tilted[]): boolean {
  const isOdd = ({ width, height }: Tilted): boolean => height < smallPrint || width < 1.6 * height
  return areas.length >= manyAreas || areas.some(isOdd)
}

function isSameArea(a: Tilted, b: Tilted): boolean {
  return coveredPart(a, [b]) > 0.85 && coveredPart(b, [a]) > 0.85
}

async function lookAgain(
  image: Gray,
  part: Box,
  first: TextArea[],
  detect: (image: Gray) => Promise<TextArea[]>,
): Promise<TextArea[]> {
  const cut = cutOut(image, part)
  const areas = (await detect(cut)).map((area) => ({
    ...area,
    x: area.x + part.left,
    y: area.y + part.top,
  }))
  // Lines close to each other run together in the small look, so the large one counts; but there a
  // line may fall into its words, and then the small look counts.
  const whole = first.filter((area) => {
    const inside = areas.filter((other) => coveredPart(other, [area]) > minCovered)
    return inside.length === 0 || (inside.length > 1 && isOneRow(inside, area.angle))
  })
  const kept = areas.filter((area) =>
    whole.every((line) => coveredPart(area, [line]) <= minCovered),
  )
  return [...whole, ...kept]
}

/**
 * The box of all areas, with room for what stands beside them: a form has small cells at its sides
 * that the first look may have missed.
 */
function partAround(areas: readonly Tilted[], image: Gray): Box {
  const boxes = areas.map(boxOf)
  const left = Math.min(...boxes.map((box) => box.left))
  const right = Math.max(...boxes.map((box) => box.right))
  const top = Math.min(...boxes.map((box) => box.top))
  const bottom = Math.max(...boxes.map((box) => box.bottom))
  const beside = areas.length >= manyAreas ? Math.max(margin, besideForm * (right - left)) : margin
  return {
    left: Math.max(0, Math.floor(left - beside)),
    top: Math.max(0, Math.floor(top - margin)),
    right: Math.min(image.width, Math.ceil(right + beside)),
    bottom: Math.min(image.height, Math.ceil(bottom + margin)),
  }
}

export function boxOf({ x, y, width, height, angle }: Tilted): Box {
  const cos = Math.abs(Math.cos(angle))
  const sin = Math.abs(Math.sin(angle))
  const across = (width * cos + height * sin) / 2
  const down = (width * sin + height * cos) / 2
  return { left: x - across, right: x + across, top: y - down, bottom: y + down }
}

/** Whether areas stand beside each other and none below another. */
function isOneRow(areas: readonly Tilted[], angle: number): boolean {
  const rows = areas.map(({ x, y, height }) => ({
    at: y * Math.cos(angle) - x * Math.sin(angle),
    height,
  }))
  const limit = 0.6 * Math.min(...rows.map(({ height }) => height))
  const places = rows.map(({ at }) => at)
  return Math.max(...places) - Math.min(...places) < limit
}

/** How much of an area lies in others, which do not overlap. */
function coveredPart(area: Tilted, others: readonly Tilted[]): number {
  const own = boxOf(area)
  let sum = 0
  for (const other of others) {
    const box = boxOf(other)
    const width = Math.min(own.right, box.right) - Math.max(own.left, box.left)
    const height = Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top)
    if (width > 0 && height > 0) sum += width * height
  }
  return sum / ((own.right - own.left) * (own.bottom - own.top))
}

function cutOut({ pixels, width }: Gray, part: Box): Gray {
  const across = part.right - part.left
  const down = part.bottom - part.top
  const cut = new Uint8Array(across * down)
  for (let y = 0; y < down; y++) {
    const from = (part.top + y) * width + part.left
    cut.set(pixels.subarray(from, from + across), y * across)
  }
  return { pixels: cut, width: across, height: down }
}

function fitted(image: Gray, area: number): Gray {
  const scale = Math.sqrt(area / (image.width * image.height))
  if (scale >= 1) return image
  const width = Math.round(image.width * scale)
  return resizeGray(image, width, Math.round(image.height * scale))
}

function scaled(area: TextArea, across: number, down: number): TextArea {
  const { x, y, width, height, angle, score } = area
  return {
    ...{ x: x * across, y: y * down, width: width * across, height: height * down },
    ...{ angle, score },
  }
}

/** Sides that the network can halve five times. */
function detectorInput(image: Gray): { data: Float32Array; width: number; height: number } {
  const width = Math.max(32, Math.round(image.width / 32) * 32)
  const height = Math.max(32, Math.round(image.height / 32) * 32)
  const { pixels } = resizeGray(image, width, height)
  const size = width * height
  const data = new Float32Array(3 * size)
  for (let channel = 0; channel < 3; channel++) {
    const gain = 1 / 255 / deviation[channel]!
    const shift = mean[channel]! / deviation[channel]!
    const offset = channel * size
    for (let at = 0; at < size; at++) data[offset + at] = pixels[at]! * gain - shift
  }
  return { data, width, height }
}

/** The line from −1 to 1; the rest of the width is 0, as in training. */
function recogniserInput(line: Gray, width: number): Float32Array {
  const size = width * lineHeight
  const data = new Float32Array(3 * size)
  for (let y = 0; y < lineHeight; y++) {
    for (let x = 0; x < line.width; x++) {
      data[y * width + x] = line.pixels[y * line.width + x]! / 127.5 - 1
    }
  }
  data.copyWithin(size, 0, size)
  data.copyWithin(2 * size, 0, size)
  return data
}
