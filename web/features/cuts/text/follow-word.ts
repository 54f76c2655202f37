/** Marks the word that is heard, and keeps its passage in view while it plays. */
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { eventAt } from '../../../../contract/cut-times.ts'
import type { CutView } from '../cut-view.ts'
import { sourceFrame } from '../player/cut-player.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { layOutPassage } from './passage-words.ts'
import { rangeOfText } from './text-places.ts'

export function useSpokenWord(of: {
  body: RefObject<HTMLDivElement | null>
  view: CutView
  player: CutPlayer
  withRemoved: boolean
}): void {
  const { body, view, player, withRemoved } = of
  useEffect(() => {
    if (!('highlights' in CSS)) return undefined
    const spoken = new Highlight()
    CSS.highlights.set('spoken', spoken)
    let shownWord = ''
    let shownRow: Element | null = null
    const follow = (): void => {
      const frame = player.frame()
      const event = eventAt(view.events, frame)
      const source = event ? sourceFrame(event, frame) : 0
      const index = view.passages.findIndex(
        (item) => item.rangeId === event?.rangeId && source >= item.in && source < item.out,
      )
      const passage = view.passages[index]
      const word = passage?.words.findLast((item) => source >= item.in && source < item.out)
      const key = `${index} ${word?.in}`
      if (key === shownWord) return
      shownWord = key
      spoken.clear()
      const row = body.current?.querySelectorAll('[data-passage]')[index] ?? null
      if (row && player.speed() !== 0 && row !== shownRow) row.scrollIntoView({ block: 'nearest' })
      shownRow = row
      const text = row?.querySelector('[data-words]')
      if (!text || !passage || !word) return
      const placed = layOutPassage(passage, withRemoved).words.find((item) => item.in === word.in)
      if (placed) spoken.add(rangeOfText(text, placed))
    }
    follow()
    const stop = player.subscribe(follow)
    return () => {
      stop()
      CSS.highlights.delete('spoken')
    }
  }, [body, view, player, withRemoved])
}
