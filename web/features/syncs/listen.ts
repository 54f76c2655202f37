/** Plays two tracks at once, to the sample: the chosen one left, the reference right. */
import { readSamples, sampleRate } from './sync-sound.ts'

/** A track on the group's clock. */
export interface Heard {
  syncId: string
  contentId: string
  offset: number
  stretch: number
}

export interface Listening {
  stop: () => void
}

const pieceSeconds = 2.5
/** How much is prepared before it is heard. */
const aheadSeconds = 4
const stepMs = 60

/** From a second of the clock until `until`, or until it is stopped. */
export function listenToBoth({
  left,
  right,
  from,
  until,
  onTime,
  onEnd,
  onFault,
}: {
  left: Heard
  right: Heard
  from: number
  until: number
  onTime: (second: number) => void
  onEnd: () => void
  onFault: (error: unknown) => void
}): Listening {
  const audio = new AudioContext({ sampleRate, latencyHint: 'playback' })
  let isStopped = false
  let startedAt: number | null = null
  let prepared = from
  let isPreparing = false
  const stop = (): void => {
    if (isStopped) return
    isStopped = true
    clearInterval(timer)
    void audio.close()
  }
  const prepare = async (): Promise<void> => {
    isPreparing = true
    const at = prepared
    const seconds = Math.min(pieceSeconds, until - at)
    const sides = await Promise.all([left, right].map((track) => piece(track, at, seconds)))
    if (isStopped) return
    const buffer = audio.createBuffer(2, Math.max(1, sides[0]!.length), sampleRate)
    sides.forEach((samples, side) => buffer.copyToChannel(samples, side))
    const node = audio.createBufferSource()
    node.buffer = buffer
    node.connect(audio.destination)
    startedAt ??= audio.currentTime + 0.05
    node.start(startedAt + at - from)
    prepared = at + seconds
    isPreparing = false
  }
  const step = (): void => {
    const second = startedAt === null ? from : from + Math.max(0, audio.currentTime - startedAt)
    if (second >= until) {
      stop()
      onTime(until)
      onEnd()
      return
    }
    if (startedAt !== null) onTime(second)
    if (!isPreparing && prepared < until && prepared - second < aheadSeconds) {
      prepare().catch((error: unknown) => {
        stop()
        onFault(error)
      })
    }
  }
  const timer = setInterval(step, stepMs)
  step()
  return { stop }
}

function piece(
  { syncId, contentId, offset, stretch }: Heard,
  at: number,
  seconds: number,
): Promise<Float32Array<ArrayBuffer>> {
  return readSamples({ syncId, contentId }, { start: (at - offset) / stretch, seconds })
}
