/**
 * Plays a list of fragments that may still grow (HLS with fMP4), by an address for `src`. Fragments
 * are fetched as the element that plays them comes near; those far behind it are let go.
 */
interface Fragment {
  url: string
  start: number
  end: number
}

const aheadSeconds = 60
const behindSeconds = 30
const pauseMs = 300
const listEveryMs = 1500
/** Times of fragments are rounded. */
const marginSeconds = 0.05

export function openGrowingSource({
  list,
  seconds,
  onFault,
}: {
  list: string
  /** Length of the whole clip, so that the player may seek to what is not made yet. */
  seconds: number
  onFault: () => void
}): { url: string; close: () => void } {
  const source = new MediaSource()
  const url = URL.createObjectURL(source)
  const over = new AbortController()
  const { signal } = over
  const load = async (address: string): Promise<Response> => {
    const response = await fetch(address, { signal })
    if (!response.ok) throw new Error('A part of the preview could not be loaded.')
    return response
  }
  const play = async (): Promise<void> => {
    let known = readList(await (await load(list)).text(), list)
    const head = await (await load(known.head)).arrayBuffer()
    const buffer = source.addSourceBuffer(typeOf(new Uint8Array(head)))
    source.duration = seconds
    await change(buffer, () => buffer.appendBuffer(head))
    let readAtMs = Date.now()
    while (!signal.aborted) {
      if (!known.isWhole && Date.now() - readAtMs > listEveryMs) {
        known = readList(await (await load(list)).text(), list)
        readAtMs = Date.now()
      }
      const at = positionOf(url)
      const next = nextFragment(known.fragments, buffer.buffered, at)
      if (next) {
        const bytes = await (await load(next.url)).arrayBuffer()
        const first = at - behindSeconds
        if (first > 0) await change(buffer, () => buffer.remove(0, first))
        await change(buffer, () => buffer.appendBuffer(bytes))
        continue
      }
      const last = known.fragments.at(-1)
      const isEnd = known.isWhole && last && holds(buffer.buffered, last)
      if (isEnd && source.readyState === 'open') source.endOfStream()
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  source.addEventListener('sourceopen', () => {
    if (source.sourceBuffers.length > 0) return
    play().catch(() => signal.aborted || onFault())
  })
  return {
    url,
    close() {
      over.abort()
      URL.revokeObjectURL(url)
    },
  }
}

function readList(text: string, base: string) {
  const at = (address: string): string => new URL(address, base).href
  const fragments: Fragment[] = []
  let [head, length, start] = ['', 0, 0]
  for (const line of text.split('\n')) {
    head = /^#EXT-X-MAP:URI="(.+)"/.exec(line)?.[1] ?? head
    length = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? length)
    if (line === '' || line.startsWith('#')) continue
    fragments.push({ url: at(line), start, end: start + length })
    start += length
  }
  return { head: at(head), fragments, isWhole: text.includes('#EXT-X-ENDLIST') }
}

/** The profile and level stand behind the name of the decoder's own box. */
function typeOf(head: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(head)
  const box = text.indexOf('avcC')
  const level = [...head.subarray(box + 5, box + 8)].map((byte) =>
    byte.toString(16).padStart(2, '0'),
  )
  const codecs = [
    ...(box < 0 ? [] : [`avc1.${level.join('')}`]),
    ...(text.includes('mp4a') ? ['mp4a.40.2'] : []),
  ]
  return `${box < 0 ? 'audio' : 'video'}/mp4; codecs="${codecs.join(',')}"`
}

function positionOf(url: string): number {
  const elements = document.querySelectorAll<HTMLMediaElement>('video,audio')
  return [...elements].find(({ src }) => src === url)?.currentTime ?? 0
}

/** The first that is missing from the playhead on. */
function nextFragment(
  fragments: readonly Fragment[],
  buffered: TimeRanges,
  at: number,
): Fragment | undefined {
  return fragments.find(
    (fragment) =>
      fragment.end > at && fragment.start < at + aheadSeconds && !holds(buffered, fragment),
  )
}

function holds(buffered: TimeRanges, { start, end }: Fragment): boolean {
  const middle = (start + end) / 2
  return Array.from({ length: buffered.length }, (_, index) => index).some(
    (index) =>
      buffered.start(index) <= middle + marginSeconds &&
      buffered.end(index) >= middle - marginSeconds,
  )
}

async function change(buffer: SourceBuffer, begin: () => void): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    buffer.addEventListener('updateend', () => resolve(), { once: true })
    buffer.addEventListener('error', () => reject(new Error('Not playable.')), { once: true })
  })
  begin()
  await done
}
