/** Draws the strip of a cut onto a canvas: only what is in view, at the device's pixels. */
import type { CutSource } from '../../../../contract/footage/cuts.ts'
import { labelPixels, rulerMarks } from '../../../playback/timeline-scale.ts'
import type { View } from '../../../playback/timeline-scale.ts'
import type { CutView } from '../cut-view.ts'
import { spanSeconds } from '../source-seconds.ts'
import { tileAt } from '../still-tile.tsx'

export const rulerHeight = 22
const pictureTop = 26
const pictureHeight = 44
const audioTop = 74
const audioHeight = 34
export const stripHeight = 112

/** Narrower events are plain tiles without a diamond, which would hide all else. */
const minTilePixels = 4
const minSeamPixels = 10

export interface StripBlock {
  rangeId: string
  number: number
  contentId: string
  /** Frames of the cut. */
  from: number
  to: number
  /** The first frame of the source in it. */
  sourceIn: number
}

export interface StripFiles {
  sheets: ReadonlyMap<string, readonly HTMLImageElement[]>
  peaks: ReadonlyMap<
    string,
    { values: Int8Array; loudest: number; perSecond: number; start: number }
  >
}

export interface StripColours {
  ink: string
  faint: string
  line: string
  tile: string
  audio: string
  brand: string
  seam: string
  look: string
}

export function drawStrip(
  canvas: HTMLCanvasElement,
  view: CutView,
  window: View,
  input: {
    blocks: readonly StripBlock[]
    files: StripFiles
    colours: StripColours
    currentId: string | null
  },
): void {
  const ratio = devicePixelRatio || 1
  canvas.width = Math.round(window.width * ratio)
  canvas.height = Math.round(stripHeight * ratio)
  const paint = canvas.getContext('2d')
  if (!paint) return
  paint.setTransform(ratio, 0, 0, ratio, 0, 0)
  paint.clearRect(0, 0, window.width, stripHeight)
  const x = (frame: number): number => (frame - window.startFrame) * window.pixelsPerFrame
  drawRuler(paint, view, window, { x, colours: input.colours })
  for (const event of view.events) {
    const [left, right] = [x(event.recordIn), x(event.recordOut)]
    if (right < 0 || left > window.width) continue
    const source = view.sources.get(event.contentId)
    drawTiles(paint, {
      left,
      right,
      event,
      source,
      files: input.files,
      tile: input.colours.tile,
      view,
    })
    drawSound(paint, {
      left,
      right,
      event,
      source,
      files: input.files,
      colour: input.colours.audio,
    })
  }
  for (const block of input.blocks) drawBlock(paint, block, { ...input, x, window })
}

function drawRuler(
  paint: CanvasRenderingContext2D,
  view: CutView,
  window: View,
  { x, colours }: { x: (frame: number) => number; colours: StripColours },
): void {
  paint.font = '12px "Geist Mono", monospace'
  paint.textBaseline = 'middle'
  const { startFrame, format } = view
  const reel = { frames: Math.max(view.frames, 1), startFrame, format }
  for (const frame of rulerMarks(reel, window)) {
    const left = Math.round(x(frame))
    paint.fillStyle = colours.line
    paint.fillRect(left, 0, 1, rulerHeight)
    if (left < -4 || left + labelPixels - 10 > window.width) continue
    paint.fillStyle = colours.faint
    paint.fillText(view.time(frame), left + 5, rulerHeight / 2)
  }
  paint.fillStyle = colours.line
  paint.fillRect(0, rulerHeight, window.width, 1)
}

interface EventBox {
  left: number
  right: number
  event: CutView['events'][number]
  source: CutSource | undefined
  files: StripFiles
}

function drawTiles(
  paint: CanvasRenderingContext2D,
  { left, right, event, source, files, tile, view }: EventBox & { tile: string; view: CutView },
): void {
  paint.fillStyle = tile
  paint.fillRect(left, pictureTop, Math.max(1, right - left), pictureHeight)
  const sprite = source?.pictures.sprite
  const sheets = files.sheets.get(event.contentId)
  if (!sprite || !sheets || right - left < minTilePixels) return
  const width = (pictureHeight * sprite.tile_width) / sprite.tile_height
  const framesPerPixel = (event.out - event.in) / (right - left)
  paint.save()
  paint.beginPath()
  paint.rect(left, pictureTop, right - left, pictureHeight)
  paint.clip()
  const first = Math.max(0, Math.floor((0 - left) / width))
  for (let at = left + first * width; at < right && at < view.frames * 1e6; at += width) {
    if (at > paint.canvas.width) break
    const place = tileAt(sprite, event.in + (at - left + width / 2) * framesPerPixel)
    const sheet = place && sheets[place.sheet]
    if (!place || !sheet?.complete || sheet.naturalWidth === 0) continue
    paint.drawImage(
      sheet,
      place.x,
      place.y,
      sprite.tile_width,
      sprite.tile_height,
      at,
      pictureTop,
      width,
      pictureHeight,
    )
  }
  paint.restore()
}

function drawSound(
  paint: CanvasRenderingContext2D,
  { left, right, event, source, files, colour }: EventBox & { colour: string },
): void {
  const peaks = files.peaks.get(event.contentId)
  if (!peaks || !source) return
  const middle = audioTop + audioHeight / 2
  paint.fillStyle = colour
  // An event plays in its own time, so its sound is spread evenly whatever its frames are.
  const start = spanSeconds(source, { in: 0, out: event.in }) - peaks.start
  const secondsPerPixel = spanSeconds(source, event) / (right - left)
  const begin = Math.max(0, Math.floor(left))
  for (let at = begin; at < right - 1 && at < paint.canvas.width; at += 3) {
    const second = start + (at - left) * secondsPerPixel
    const from = Math.floor(second * peaks.perSecond)
    const to = Math.max(from + 1, Math.floor((second + 3 * secondsPerPixel) * peaks.perSecond))
    let high = 0
    for (let index = Math.max(0, from); index < to; index += 1) {
      const low = Math.abs(peaks.values[index * 2] ?? 0)
      high = Math.max(high, low, Math.abs(peaks.values[index * 2 + 1] ?? 0))
    }
    const half = Math.max(0.5, (high / peaks.loudest) * (audioHeight / 2 - 1))
    paint.fillRect(at, middle - half, 2, half * 2)
  }
}

function drawBlock(
  paint: CanvasRenderingContext2D,
  block: StripBlock,
  input: {
    x: (frame: number) => number
    window: View
    colours: StripColours
    currentId: string | null
  },
): void {
  const [left, right] = [input.x(block.from), input.x(block.to)]
  if (right < 0 || left > input.window.width) return
  const width = Math.max(1, right - left)
  if (width < minSeamPixels && width > 2) {
    paint.fillStyle = input.colours.line
    paint.fillRect(left, pictureTop, 1, pictureHeight)
  }
  if (block.rangeId === input.currentId) {
    paint.strokeStyle = input.colours.brand
    paint.lineWidth = 2
    paint.strokeRect(left + 1, pictureTop + 1, width - 2, pictureHeight - 2)
  }
  if (width > 20) {
    paint.font = '600 12px "Geist", sans-serif'
    const text = String(block.number)
    const box = paint.measureText(text).width + 8
    paint.fillStyle = 'oklch(15% 0 0 / 80%)'
    paint.fillRect(left + 3, pictureTop + 3, box, 16)
    paint.fillStyle = 'oklch(97% 0 0)'
    paint.fillText(text, left + 7, pictureTop + 11.5)
  }
  if (block.from === 0 || width < minSeamPixels) return
  paint.fillStyle = input.colours.seam
  paint.save()
  paint.translate(left, pictureTop + pictureHeight / 2)
  paint.rotate(Math.PI / 4)
  paint.fillRect(-4, -4, 8, 8)
  paint.restore()
}
