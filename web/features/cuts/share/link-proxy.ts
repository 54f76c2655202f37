/** The one copy that a link plays: how far it is, and the program of the player that plays it. */
import type { Share, SharedProxy } from '../../../../contract/shares.ts'
import { parseRational, toNumber } from '../../../../contract/rational.ts'
import { fileSize } from '../../../app/file-size.ts'
import { frameClock } from '../../../app/frame-clock.ts'
import type { CutView } from '../cut-view.ts'
import type { Program } from '../player/cut-player.ts'

export function proxyText(proxy: NonNullable<Share['proxy']>): string {
  const { state, progress, seconds_left: secondsLeft, bytes, message } = proxy
  const size =
    bytes === null ? [] : [state === 'ready' ? fileSize(bytes) : `about ${fileSize(bytes)}`]
  if (state === 'failed') return message ?? 'The copy could not be made.'
  if (state === 'ready') return ['Ready', ...size].join(' · ')
  if (state === 'waiting') return 'The copy waits to be made'
  const left = secondsLeft === null ? [] : [timeLeft(secondsLeft)]
  return [`The copy is being made: ${Math.floor(progress * 100)}%`, ...left, ...size].join(' · ')
}

function timeLeft(seconds: number): string {
  return seconds < 60 ? 'less than a minute left' : `about ${Math.round(seconds / 60)} min left`
}

export function isBeingMade(proxy: Share['proxy']): boolean {
  return proxy?.state === 'waiting' || proxy?.state === 'making'
}

/** Its frames are those of the cut; without it time passes all the same. */
export function linkProgram({ program }: CutView, { proxy }: Pick<SharedProxy, 'proxy'>): Program {
  const rate = proxy && parseRational(proxy.frame_rate)
  if (!proxy || !rate) return program
  const { frames, framesPerSecond } = program
  const whole = { in: 0, out: frames, recordIn: 0, recordOut: frames }
  const event = { rangeId: 'all', rangeIndex: 0, contentId: 'all', ...whole }
  const clip = {
    url: proxy.url,
    clock: frameClock({ startFrame: 0, framesPerSecond: toNumber(rate) }),
  }
  return { events: [event], frames, framesPerSecond, clip: () => clip }
}
