import { useSyncExternalStore } from 'react'
import { eventAt } from '../../../../domain/cuts/cut-times.ts'
import type { CutView } from '../cut-view.ts'
import { sourceFrame } from '../player/cut-player.ts'
import type { CutPlayer } from '../player/cut-player.ts'

const wordsAtOnce = 10

/** The spoken words, a line at a time. */
export function Captions({ view, player }: { view: CutView; player: CutPlayer }) {
  const text = useSyncExternalStore(player.subscribe, () => lineAt(view, player.frame()))
  if (!text) return null
  return (
    // Inside the picture, not on the bars above and below it.
    <div className="pointer-events-none absolute inset-0 grid place-items-center [container-type:size]">
      <div className="relative aspect-video w-[min(100cqw,calc(100cqh*16/9))]">
        <p
          dir="auto"
          className="absolute inset-x-4 bottom-6 mx-auto w-fit max-w-[90%] rounded-sm bg-[oklch(12%_0_0/85%)] px-3 py-1 text-center text-md text-[oklch(97%_0_0)] max-sm:bottom-3 max-sm:text-base"
        >
          {text}
        </p>
      </div>
    </div>
  )
}

function lineAt(view: CutView, frame: number): string {
  const event = eventAt(view.events, frame)
  if (!event) return ''
  const source = sourceFrame(event, frame)
  const passage = view.passages.find(
    (item) => item.rangeId === event.rangeId && source >= item.in && source < item.out,
  )
  const words = passage?.words.filter((word) => !word.struck) ?? []
  const at = words.findLastIndex((word) => word.in <= source)
  if (!passage || at < 0) return ''
  const first = Math.floor(at / wordsAtOnce) * wordsAtOnce
  return words
    .slice(first, first + wordsAtOnce)
    .map((word) => word.text)
    .join(passage.joiner)
}
