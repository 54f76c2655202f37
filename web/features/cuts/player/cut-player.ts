/**
 * Plays a cut without gaps: two video elements take turns. While one plays an event, the other
 * stands on the first frame of the next one, starts a moment before the seam, still hidden and
 * silent, and is shown when the first has come to its end. How long a start takes is measured at
 * every seam, so that the next one begins earlier by as much.
 *
 * A plain store, like the playhead of the review: sixty steps a second do not redraw React.
 */
import type { CutEvent } from '../../../../domain/cuts/cut-times.ts'
import { atStart, frameOf, holds, place, secondOf, stands, whenReady } from './played-clip.ts'
import type { PlayedClip } from './played-clip.ts'
import { eventAt } from '../../../../domain/cuts/cut-times.ts'
import { createSignal } from '../../../dom/signal.ts'

export interface Program {
  events: readonly CutEvent[]
  frames: number
  framesPerSecond: number
  /** Nothing where the proxy is not there; its time passes all the same. */
  clip: (contentId: string) => PlayedClip | undefined
}

export interface CutPlayer {
  frame: () => number
  /** 0: stopped; negative: backwards. */
  speed: () => number
  /** Which of the two videos is on the screen; null: neither has a picture of this moment. */
  shown: () => 0 | 1 | null
  subscribe: (listener: () => void) => () => void
  attach: (index: 0 | 1, video: HTMLVideoElement | null) => void
  load: (program: Program) => void
  seek: (frame: number) => void
  step: (frames: number) => void
  toggle: () => void
  shuttle: (direction: 1 | -1) => void
  stop: () => void
  isMuted: () => boolean
  toggleSound: () => void
  volume: () => number
  setVolume: (volume: number) => void
}

const fastest = 8
/** Half the time between two looks at the clock: nearer to the seam than the next look would be. */
const crossMs = 8

export function createCutPlayer(): CutPlayer {
  let program: Program = {
    events: [],
    frames: 0,
    framesPerSecond: 25,
    clip: () => undefined,
  }
  const videos: [HTMLVideoElement | null, HTMLVideoElement | null] = [null, null]
  let active: 0 | 1 = 0
  let shown: 0 | 1 | null = null
  let frame = 0
  let speed = 0
  let isMuted = false
  let volume = 1
  /** Changes with every order, so that what an older one waits for is dropped. */
  let order = 0
  let backwards = 0
  const seams = createSeamClock(() => program.framesPerSecond)
  const { announce, subscribe } = createSignal()
  const clamp = (value: number): number =>
    Math.min(Math.max(0, program.frames - 1), Math.max(0, Math.round(value)))
  const show = (next: number): void => {
    if (next === frame) return
    frame = next
    announce()
  }
  const bringUp = (index: 0 | 1 | null): void => {
    if (index !== null) active = index
    if (shown === index) return
    shown = index
    announce()
  }
  const other = (): 0 | 1 => (active === 0 ? 1 : 0)
  const silence = (): void => {
    for (const [index, video] of videos.entries()) {
      if (video) Object.assign(video, { muted: isMuted || index !== active, volume })
    }
  }
  const halt = (): void => {
    order += 1
    for (const video of videos) if (video && !video.paused) video.pause()
  }
  const stop = (): void => {
    halt()
    if (speed !== 0) {
      speed = 0
      announce()
    }
    rest()
  }
  /** Puts the picture of the playhead on the screen, and the next one behind it. */
  const rest = (): void => {
    const event = eventAt(program.events, frame)
    const clip = event && program.clip(event.contentId)
    if (!event || !clip) return bringUp(null)
    const mine = ++order
    const index = holds(videos[active], clip) || !holds(videos[other()], clip) ? active : other()
    const video = videos[index]
    if (!video) return undefined
    place(video, clip, sourceFrame(event, frame) + 0.5)
    whenReady(
      video,
      () => mine === order,
      () => {
        bringUp(index)
        silence()
        prepare(program.events.indexOf(event) + 1)
      },
    )
  }
  /** The video that is not shown stands on the first frame of an event. */
  const prepare = (index: number): void => {
    const event = program.events[index]
    const clip = event && program.clip(event.contentId)
    const video = videos[other()]
    if (event && clip && video) place(video, clip, event.in + atStart)
  }
  const run = (nextSpeed: number): void => {
    halt()
    speed = nextSpeed
    announce()
    if (speed > 0) playEvent(eventIndex(program.events, frame))
    else countBack(performance.now(), frame)
  }
  /** Backwards no browser plays: frames are counted, and shown as fast as they are found. */
  const countBack = (sinceMs: number, from: number): void => {
    const mine = ++backwards
    const step = (): void => {
      if (speed >= 0 || backwards !== mine) return
      const passed = ((performance.now() - sinceMs) / 1000) * program.framesPerSecond
      const next = clamp(from + passed * speed)
      const isNew = next !== frame
      show(next)
      if (next <= 0) return stop()
      if (isNew && !videos.some((video) => video?.seeking)) rest()
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  }
  const playEvent = (index: number): void => {
    const event = program.events[index]
    if (!event) return stop()
    const clip = program.clip(event.contentId)
    if (!clip) return passTime(index, event)
    const mine = ++order
    const at = sourceFrame(event, Math.max(frame, event.recordIn))
    const chosen = [active, other()].find((item) => stands(videos[item], clip, at)) ?? active
    const video = videos[chosen]
    if (!video) return undefined
    if (!stands(video, clip, at)) place(video, clip, at + atStart)
    whenReady(
      video,
      () => mine === order,
      () => {
        bringUp(chosen)
        silence()
        start(video)
        prepare(index + 1)
        follow(index, event, clip, video)
      },
    )
    return undefined
  }
  const start = (video: HTMLVideoElement): void => {
    video.playbackRate = speed
    video.play().catch((error: unknown) => {
      // A pause right after is no refusal.
      if (error instanceof DOMException && error.name === 'AbortError') return
      if (video === videos[active]) stop()
    })
  }
  /** Follows the shown video to the end of its event and hands over to the other. */
  const follow = (
    index: number,
    event: CutEvent,
    clip: PlayedClip,
    video: HTMLVideoElement,
  ): void => {
    const mine = order
    const end = secondOf(clip, event.out)
    const next = program.events[index + 1]
    const nextClip = next && program.clip(next.contentId)
    let startedMs = 0
    const look = (): void => {
      if (order !== mine || speed <= 0) return
      const leftMs = ((end - video.currentTime) / speed) * 1000
      const source = frameOf(clip, video.currentTime)
      const waiting = videos[other()]
      const isReady = Boolean(next && nextClip && stands(waiting, nextClip, next.in))
      if (leftMs > crossMs && !video.ended) {
        show(clamp(Math.min(event.recordOut - 1, recordFrame(event, source))))
        if (isReady && waiting && !startedMs && leftMs <= seams.startMs()) {
          startedMs = performance.now()
          waiting.muted = true
          start(waiting)
        }
        requestAnimationFrame(look)
        return
      }
      const seamMs = performance.now() + leftMs
      if (!next || !nextClip || (!isReady && !startedMs)) {
        video.pause()
        if (next) show(next.recordIn)
        else show(clamp(event.recordOut - 1))
        if (!next) return stop()
        seams.measure(videos[other()], {
          seamMs,
          from: next.in,
          clip: nextClip,
          startedMs: 0,
          speed,
        })
        return playEvent(index + 1)
      }
      cross(index + 1, next, nextClip, { seamMs, startedMs })
    }
    requestAnimationFrame(look)
  }
  const cross = (
    index: number,
    event: CutEvent,
    clip: PlayedClip,
    times: { seamMs: number; startedMs: number },
  ): void => {
    const before = videos[active]
    const video = videos[other()]
    if (!video) return stop()
    order += 1
    bringUp(other())
    silence()
    if (!times.startedMs) start(video)
    show(event.recordIn)
    before?.pause()
    seams.measure(video, { ...times, from: event.in, clip, speed })
    prepare(index + 1)
    follow(index, event, clip, video)
  }
  /** An event without a proxy lasts as long as it would with one. */
  const passTime = (index: number, event: CutEvent): void => {
    const mine = ++order
    bringUp(null)
    const from = Math.max(frame, event.recordIn)
    const sinceMs = performance.now()
    prepare(index + 1)
    const step = (): void => {
      if (order !== mine || speed <= 0) return
      const passed = ((performance.now() - sinceMs) / 1000) * program.framesPerSecond * speed
      if (from + passed >= event.recordOut) {
        if (index + 1 >= program.events.length) {
          show(clamp(event.recordOut - 1))
          return stop()
        }
        show(event.recordOut)
        return playEvent(index + 1)
      }
      show(clamp(Math.floor(from + passed)))
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  }
  return {
    frame: () => frame,
    speed: () => speed,
    shown: () => shown,
    subscribe,
    attach(index, video) {
      videos[index] = video
      silence()
      if (videos[0] && videos[1]) rest()
    },
    load(next) {
      program = next
      const before = frame
      frame = clamp(frame)
      if (speed > 0) run(speed)
      else rest()
      if (before !== frame) announce()
    },
    seek(to) {
      show(clamp(to))
      if (speed === 0) rest()
      else run(speed)
    },
    step(by) {
      const to = clamp(frame + by)
      if (speed !== 0) stop()
      show(to)
      rest()
    },
    toggle() {
      if (speed !== 0) return stop()
      if (frame >= program.frames - 1) show(0)
      run(1)
    },
    shuttle(direction) {
      const isSame = Math.sign(speed) === direction
      run(direction * (isSame ? Math.min(fastest, Math.abs(speed) * 2) : 1))
    },
    stop,
    isMuted: () => isMuted,
    toggleSound() {
      isMuted = !isMuted
      silence()
      announce()
    },
    volume: () => volume,
    setVolume(next) {
      volume = Math.min(1, Math.max(0, next))
      isMuted = volume === 0
      silence()
      announce()
    },
  }
}

const maxStartMs = 250

/** Learns at every seam how long a start takes, so that the next one begins earlier by as much. */
function createSeamClock(framesPerSecond: () => number) {
  let startMs = 40
  return {
    startMs: () => startMs,
    /** Looks at the first frames behind a seam: how late they are, and how long the start took. */
    measure(
      video: HTMLVideoElement | null,
      seam: {
        seamMs: number
        /** 0: it had not started before the seam. */
        startedMs: number
        from: number
        clip: PlayedClip | undefined
        speed: number
      },
    ): void {
      const { clip, speed } = seam
      if (!video || !clip || !('requestVideoFrameCallback' in video)) return
      let looks = 0
      const look: VideoFrameRequestCallback = (nowMs, { mediaTime }) => {
        const shownFrame = frameOf(clip, mediaTime)
        const since = (secondOf(clip, shownFrame) - secondOf(clip, seam.from)) / speed
        looks += 1
        if (since <= 0 && looks < 5) return void video.requestVideoFrameCallback(look)
        const lateMs = nowMs - seam.seamMs - since * 1000
        if (seam.startedMs) {
          const tookMs = nowMs - seam.startedMs - since * 1000
          startMs = Math.min(maxStartMs, Math.max(0, startMs * 0.7 + tookMs * 0.3))
        }
        const lateFrames = Math.max(0, Math.floor((lateMs / 1000) * framesPerSecond()))
        performance.mark('seam', { detail: { lateMs, lateFrames } })
        return undefined
      }
      video.requestVideoFrameCallback(look)
    },
  }
}

/** The frame of the source that a frame of the cut shows, in an event that plays evenly. */
export function sourceFrame(event: CutEvent, frame: number): number {
  const pace = (event.out - event.in) / (event.recordOut - event.recordIn)
  const at = event.in + Math.floor((frame - event.recordIn) * pace + 1e-6)
  return Math.min(event.out - 1, Math.max(event.in, at))
}

export function recordFrame(event: CutEvent, source: number): number {
  const pace = (event.recordOut - event.recordIn) / (event.out - event.in)
  const at = event.recordIn + Math.floor((source - event.in) * pace + 1e-6)
  return Math.min(event.recordOut - 1, Math.max(event.recordIn, at))
}

function eventIndex(events: readonly CutEvent[], frame: number): number {
  const event = eventAt(events, frame)
  return event ? events.indexOf(event) : -1
}
