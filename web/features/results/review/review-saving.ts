/**
 * Brings reviews to the server: after a pause, at once when asked, and when the screen or the page is
 * left. One is sent after the other, so that an older one never comes last. What could not be sent is
 * kept on this computer and sent again, by this screen or by the next one of the same job.
 */
import { CallError } from '../../../../contract/endpoint.ts'
import type { Review, SavedReview } from '../../../../contract/footage/review.ts'
import { api } from '../../../app/api.ts'
import { isFinalRefusal, showFailure } from '../../../app/failures.ts'
import { saveOnLeave } from '../../../saved/save-on-leave.ts'
import { forgetUnsent, keepUnsent, readUnsent } from '../../../saved/unsent.ts'
import { showToast } from '../../../ui/toast.tsx'

const savePauseMs = 600
const retryMs = 5000
/** What a browser sends for a page that is gone has to be short; three bytes are a letter's most. */
const longestKeptAlive = 20_000

interface Sides {
  /** What the server has, as far as this screen knows. */
  base: Review
  mine: Review
}

export interface ReviewSaving {
  keep: (review: Review) => void
  /** Ends when the server has everything (true), or cannot be brought to take it. */
  save: () => Promise<boolean>
  /** Null before anything was read. */
  sides: () => Sides | null
  /** `version` is that of the base. */
  receive: (sides: Sides, version: number | undefined) => void
  /**
   * Saves when the page is left or the connection is back; returns what ends that. `onElsewhere` joins
   * what somebody saved meanwhile with mine, and keeps that.
   */
  attend: (onElsewhere: (saved: SavedReview) => void) => () => void
}

/** `known` is what an earlier screen read. */
export function createReviewSaving(jobId: string, known: Review | null): ReviewSaving {
  const name = `review:${jobId}`
  const unsent = readUnsent(name, readShape)
  let base = unsent?.base ?? known
  let latest = unsent?.mine ?? known
  /** Of the base; unknown before it was read, and to a service that has none. */
  let version: number | undefined
  let isWaiting = unsent !== null
  let underway = 0
  let join: ((saved: SavedReview) => void) | null = null
  let isOpen = false
  let hasSaid = false
  let sent = Promise.resolve()
  let timer: ReturnType<typeof setTimeout> | undefined

  function sendIn(pauseMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), pauseMs)
  }
  async function fail(error: unknown): Promise<void> {
    isWaiting = true
    const saved = savedElsewhere(error)
    if (saved && join) {
      join(saved)
      return await send()
    }
    if (isFinalRefusal(error)) {
      showFailure(error, { title: 'Not saved', fallback: 'The service did not take your selects.' })
      return
    }
    if (isOpen) sendIn(retryMs)
    if (hasSaid) return
    hasSaid = true
    const message = 'We couldn’t save your selects. They are kept here, and we’ll keep trying.'
    showToast({ type: 'error', title: 'Not saved', message })
  }
  async function send(): Promise<void> {
    clearTimeout(timer)
    const body = latest
    if (!isWaiting || !body) return
    isWaiting = false
    underway += 1
    // One that overtakes another, as its page is left, does not know the version that one will make.
    const from = underway > 1 || version === undefined ? {} : { version }
    const params = { id: jobId }
    const keepalive = JSON.stringify(body).length < longestKeptAlive
    try {
      const saved = await api.saveReview({ params, body: { ...body, ...from } }, { keepalive })
      base = body
      version = saved.version
      hasSaid = false
      if (latest === body) forgetUnsent(name)
    } catch (error) {
      underway -= 1
      return await fail(error)
    }
    underway -= 1
  }
  async function save(): Promise<boolean> {
    sent = sent.then(send)
    await sent
    return !isWaiting
  }
  return {
    keep(review) {
      latest = review
      isWaiting = true
      if (base) keepUnsent(name, { base, mine: review } satisfies Sides)
      sendIn(savePauseMs)
    },
    save,
    sides: () => base && latest && { base, mine: latest },
    receive(sides, known) {
      base = sides.base
      latest = sides.mine
      version = known
    },
    attend(onElsewhere) {
      isOpen = true
      join = onElsewhere
      // A page that is left may not live until an earlier save has arrived.
      const end = saveOnLeave(save, send)
      return () => {
        isOpen = false
        end()
      }
    },
  }
}

function savedElsewhere(error: unknown): SavedReview | null {
  if (!(error instanceof CallError) || error.code !== 'conflict') return null
  return (error.body as { saved?: SavedReview }).saved ?? null
}

/** The service checks every field. */
function readShape({ base, mine }: Sides): Sides | null {
  const lists = [base, mine].flatMap((one) => [
    one.selects,
    one.accepted_cut_frames,
    one.rejected_cut_frames,
  ])
  return lists.every(Array.isArray) ? { base, mine } : null
}
