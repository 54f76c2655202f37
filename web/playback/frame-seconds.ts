/**
 * When each frame of a review proxy begins, read from the index at the head of its file. Only clips
 * whose rate varies need it: findings tell the times of few of their frames.
 */

/** The index of a film of hours has a few megabytes. */
const maxIndexBytes = 64 * 2 ** 20
const firstBytes = 2 ** 18

/**
 * Reads when frames begin; null if the file cannot be read in parts, or has its index elsewhere.
 */
export async function readFrameSeconds(
  url: string,
  signal?: AbortSignal,
): Promise<number[] | null> {
  const head = await readBytes(url, firstBytes, signal)
  const end = head && indexEnd(head)
  if (!head || !end || end > maxIndexBytes) return null
  const whole = end <= head.byteLength ? head : await readBytes(url, end, signal)
  return whole && frameSeconds(whole)
}

async function readBytes(
  url: string,
  count: number,
  signal?: AbortSignal,
): Promise<DataView | null> {
  const headers = { range: `bytes=0-${count - 1}` }
  const response = await fetch(url, { headers, ...(signal && { signal }) })
  if (response.status === 206) return new DataView(await response.arrayBuffer())
  await response.body?.cancel()
  return null
}

interface Box {
  type: string
  /** Offset of its content. */
  start: number
  end: number
}

/** The byte behind the index; null where other things come first. */
function indexEnd(head: DataView): number | null {
  return boxesIn(head, 0, head.byteLength).find(({ type }) => type === 'moov')?.end ?? null
}

/** When every frame of the video begins, and finally when the last one ends. */
export function frameSeconds(file: DataView): number[] | null {
  const inside = (box: Box | undefined, type: string): Box[] =>
    box ? boxesIn(file, box.start, box.end).filter((inner) => inner.type === type) : []
  const first = (box: Box | undefined, ...path: string[]): Box | undefined =>
    path.reduce<Box | undefined>((outer, type) => inside(outer, type)[0], box)
  const movie = boxesIn(file, 0, file.byteLength).find(({ type }) => type === 'moov')
  if (!movie || movie.end > file.byteLength) return null
  const track = inside(movie, 'trak').find((box) => {
    const handler = first(box, 'mdia', 'hdlr')
    return handler && textAt(file, handler.start + 8) === 'vide'
  })
  const table = first(track, 'mdia', 'minf', 'stbl')
  const durations = first(table, 'stts')
  const scale = timescaleOf(file, first(track, 'mdia', 'mdhd'))
  const movieScale = timescaleOf(file, first(movie, 'mvhd'))
  // Frames that are stored in another order than they are shown in: proxies have none.
  if (!durations || !scale || !movieScale || first(table, 'ctts')) return null
  const edits = first(track, 'edts', 'elst')
  let at = edits ? startTicks(file, edits, { scale, movieScale }) : 0
  const seconds = [at / scale]
  const count = file.getUint32(durations.start + 4)
  for (let entry = 0; entry < count; entry += 1) {
    const place = durations.start + 8 + entry * 8
    const ticks = file.getUint32(place + 4)
    for (let frame = file.getUint32(place); frame > 0; frame -= 1) {
      at += ticks
      seconds.push(at / scale)
    }
  }
  return seconds
}

function boxesIn(file: DataView, from: number, to: number): Box[] {
  const boxes: Box[] = []
  let at = from
  while (at + 16 <= to) {
    const short = file.getUint32(at)
    const size = short === 1 ? Number(file.getBigUint64(at + 8)) : short
    const head = short === 1 ? 16 : 8
    if (size < head) break
    boxes.push({ type: textAt(file, at + 4), start: at + head, end: at + size })
    at += size
  }
  return boxes
}

function textAt(file: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((place) => file.getUint8(at + place)))
}

/** Ticks to a second, of a movie's or a track's header. */
function timescaleOf(file: DataView, box: Box | undefined): number | null {
  if (!box) return null
  const isLong = file.getUint8(box.start) === 1
  return file.getUint32(box.start + (isLong ? 20 : 12)) || null
}

/** When the first frame is shown: after a wait, or with a part of it left out. */
function startTicks(
  file: DataView,
  { start, end }: Box,
  { scale, movieScale }: { scale: number; movieScale: number },
): number {
  const isLong = file.getUint8(start) === 1
  const step = isLong ? 20 : 12
  let wait = 0
  for (let at = start + 8; at + step <= end; at += step) {
    const length = isLong ? Number(file.getBigUint64(at)) : file.getUint32(at)
    const from = isLong ? Number(file.getBigInt64(at + 8)) : file.getInt32(at + 4)
    if (from >= 0) return wait - from
    wait += (length / movieScale) * scale
  }
  return wait
}
