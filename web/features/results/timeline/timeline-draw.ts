/** Draws the lanes of the timeline onto a canvas: only what is in view, at the device's pixels. */
import { speakerColour } from '../speaker-colour.ts'
import type { Reel } from '../viewer/reel.ts'
import { peakColumns } from './peak-columns.ts'
import type { FrameSpan, TimelineData } from './timeline-data.ts'
import type { LaneId, Lanes } from './timeline-lanes.ts'
import { labelPixels, rulerMarks } from '../../../playback/timeline-scale.ts'
import type { View } from '../../../playback/timeline-scale.ts'

export interface Colours {
  ink: string
  faint: string
  line: string
  shotA: string
  shotB: string
  talk: string
  bad: string
  audio: string
  cut: string
  select: string
  /** Theme and preset that these belong to. */
  look: string
}

const sureScore = 0.6

export function drawTimeline(
  canvas: HTMLCanvasElement,
  data: TimelineData,
  view: View,
  style: { colours: Colours; reel: Reel; lanes: Lanes },
): void {
  const { colours, lanes } = style
  const ratio = devicePixelRatio || 1
  canvas.width = Math.round(view.width * ratio)
  canvas.height = Math.round(lanes.height * ratio)
  const paint = canvas.getContext('2d')
  if (!paint) return
  paint.setTransform(ratio, 0, 0, ratio, 0, 0)
  paint.clearRect(0, 0, view.width, lanes.height)
  const brush: Brush = {
    paint,
    view,
    x: (frame) => (frame - view.startFrame) * view.pixelsPerFrame,
    box: (id) => lanes.list.find((lane) => lane.id === id) ?? nowhere,
  }
  drawRuler(brush, style)
  drawThumbnails(brush, data)
  drawShots(brush, data, colours)
  const talk = brush.box('talking')
  for (const span of data.voiceOnly) drawSpan(brush, span, talk, colours.talk, 0.45)
  for (const span of data.talking) drawSpan(brush, span, talk, colours.talk, 0.9)
  for (const span of data.lipFlap) drawSpan(brush, span, talk, colours.bad, 0.9)
  drawPeaks(brush, data, colours)
  drawSpeakers(brush, data)
  drawCutPoints(brush, data, colours)
  for (const span of data.selects) {
    drawSpan(brush, span, brush.box('selects'), colours.cut, 0.85)
    const { height } = brush.box('ruler')
    const below = { top: height, height: lanes.height - height }
    drawSpan(brush, span, below, colours.select, 1)
  }
  paint.fillStyle = colours.line
  for (const lane of lanes.list) paint.fillRect(0, lane.top - 1, view.width, 1)
}

interface Brush {
  paint: CanvasRenderingContext2D
  view: View
  x: (frame: number) => number
  box: (id: LaneId) => Box
}

interface Box {
  top: number
  height: number
}

/** A lane that this footage has not. */
const nowhere: Box = { top: 0, height: 0 }

function drawRuler(
  { paint, view, x }: Brush,
  { colours, reel }: { colours: Colours; reel: Reel },
): void {
  paint.font = '11px "Geist Mono", monospace'
  paint.textBaseline = 'middle'
  for (const frame of rulerMarks(reel, view)) {
    const left = Math.round(x(frame))
    paint.fillStyle = colours.line
    paint.fillRect(left, 12, 1, 10)
    // A timecode that is cut off reads as another one.
    if (left < -4 || left + labelPixels - 10 > view.width) continue
    paint.fillStyle = colours.faint
    paint.fillText(reel.timecode(frame), left + 4, 9)
  }
}

function drawThumbnails({ paint, view, x, box }: Brush, data: TimelineData): void {
  const { sprites } = data
  if (!sprites) return
  const { top, height } = box('thumbnails')
  const drawn = height - 4
  const width = Math.round((drawn * sprites.tileWidth) / sprites.tileHeight)
  const firstSlot = Math.max(0, Math.floor((view.startFrame * view.pixelsPerFrame) / width))
  for (let slot = firstSlot; ; slot++) {
    const frame = (slot * width) / view.pixelsPerFrame
    const left = x(frame)
    if (left > view.width || frame >= data.frames) return
    const index = Math.round(
      (frame + 0.5 * (width / view.pixelsPerFrame) - sprites.startFrame) / sprites.intervalFrames,
    )
    const tile = Math.min(sprites.count - 1, Math.max(0, index))
    const perSheet = sprites.columns * sprites.rows
    const sheet = sprites.sheets[Math.floor(tile / perSheet)]
    if (!sheet?.complete || sheet.naturalWidth === 0) continue
    const at = tile % perSheet
    const visible = Math.min(width, (data.frames - frame) * view.pixelsPerFrame)
    paint.drawImage(
      sheet,
      (at % sprites.columns) * sprites.tileWidth,
      Math.floor(at / sprites.columns) * sprites.tileHeight,
      sprites.tileWidth * (visible / width),
      sprites.tileHeight,
      left,
      top + 2,
      visible - 1,
      drawn,
    )
  }
}

function drawShots({ paint, view, x, box }: Brush, data: TimelineData, colours: Colours): void {
  const { top, height } = box('shots')
  paint.font = '500 11px "Geist", sans-serif'
  paint.textBaseline = 'middle'
  data.shots.forEach((shot, index) => {
    const left = x(shot.startFrame)
    const right = x(shot.endFrame)
    if (right < 0 || left > view.width) return
    paint.fillStyle = index % 2 ? colours.shotB : colours.shotA
    roundedBar(paint, left, top + 3, Math.max(1, right - left - 1), height - 7)
    if (right - left < 22) return
    paint.fillStyle = 'oklch(98% 0 0)'
    paint.fillText(String(shot.index + 1).padStart(2, '0'), Math.max(left, 0) + 6, top + height / 2)
  })
  for (const { blend } of data.shots) {
    if (!blend) continue
    const [from, to] = [x(blend.startFrame), x(blend.endFrame)]
    if (to < 0 || from > view.width) continue
    drawTransition(paint, { from, to, upper: top + 3, lower: top + height - 4 }, colours)
  }
}

/** Over the frames in which two shots blend: one goes out as the other comes in. */
function drawTransition(
  paint: CanvasRenderingContext2D,
  { from, to, upper, lower }: { from: number; to: number; upper: number; lower: number },
  colours: Colours,
): void {
  if (to - from < 2) return
  paint.globalAlpha = 0.45
  paint.fillStyle = colours.shotA
  paint.beginPath()
  paint.moveTo(from, upper)
  paint.lineTo(from, lower)
  paint.lineTo(to - 1, lower)
  paint.closePath()
  paint.fill()
  paint.fillStyle = colours.shotB
  paint.beginPath()
  paint.moveTo(from, upper)
  paint.lineTo(to - 1, upper)
  paint.lineTo(to - 1, lower)
  paint.closePath()
  paint.fill()
  paint.globalAlpha = 1
}

function drawSpan(
  { paint, view, x }: Brush,
  span: FrameSpan,
  { top, height }: Box,
  colour: string,
  alpha: number,
): void {
  const left = x(span.startFrame)
  const right = x(span.endFrame)
  if (right < 0 || left > view.width) return
  paint.globalAlpha = alpha
  paint.fillStyle = colour
  roundedBar(paint, left, top + 5, Math.max(1, right - left), height - 11)
  paint.globalAlpha = 1
}

/** A stripe below the sound; pale where it is not sure who speaks. */
function drawSpeakers({ paint, view, x, box }: Brush, { speakers }: TimelineData): void {
  const { top, height } = box('audio')
  for (const { speaker, isSure, startFrame, endFrame } of speakers) {
    const left = x(startFrame)
    const right = x(endFrame)
    if (height === 0 || right < 0 || left > view.width) continue
    paint.globalAlpha = isSure ? 1 : 0.4
    paint.fillStyle = speakerColour(speaker)
    paint.fillRect(left, top + height - 5, Math.max(1, right - left), 3)
  }
  paint.globalAlpha = 1
}

function drawPeaks({ paint, view, box }: Brush, data: TimelineData, colours: Colours): void {
  const { peaks } = data
  if (!peaks) return
  const { top, height } = box('audio')
  const middle = top + height / 2
  const half = height / 2 - 4
  paint.fillStyle = colours.audio
  for (const { pixel, low, high } of peakColumns(peaks, view, data.secondsAt)) {
    // Quiet sound is scaled up to the lane: cuts are found by its shape, not by its level.
    const up = Math.max(0.5, (high / peaks.loudest) * half)
    const down = Math.max(0.5, (-low / peaks.loudest) * half)
    paint.fillRect(pixel, middle - up, 1.4, up + down)
  }
}

/** Confidence by shape and colour: a filled diamond is sure, a hollow one is not. */
function drawCutPoints({ paint, view, x, box }: Brush, data: TimelineData, colours: Colours): void {
  const { top, height } = box('cutpoints')
  const middle = top + height / 2
  for (const point of data.cutPoints) {
    const centre = x(point.frame)
    if (centre < -8 || centre > view.width + 8) continue
    const size = point.verdict === 'accepted' ? 6 : 4.5
    paint.beginPath()
    paint.moveTo(centre, middle - size)
    paint.lineTo(centre + size, middle)
    paint.lineTo(centre, middle + size)
    paint.lineTo(centre - size, middle)
    paint.closePath()
    paint.globalAlpha = point.verdict === 'rejected' ? 0.3 : 1
    const isSure = point.score >= sureScore || point.verdict === 'accepted'
    if (isSure) {
      paint.fillStyle = colours.cut
      paint.fill()
    } else {
      paint.strokeStyle = colours.faint
      paint.lineWidth = 1.2
      paint.stroke()
    }
    paint.globalAlpha = 1
  }
}

function roundedBar(
  paint: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  paint.beginPath()
  paint.roundRect(left, top, width, height, Math.min(3, width / 2))
  paint.fill()
}
