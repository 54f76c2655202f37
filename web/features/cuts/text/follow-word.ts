/** Marks the word that is heard and its passage, which stays in view while it plays. */
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { eventAt } from '../../../../domain/cuts/cut-times.ts'
import type { CutView } from '../cut-view.ts'
import { sourceFrame } from '../player/cut-player.ts'
import type { CutPlayer } from '../player/cut-player.ts'
import { layOutPassage } from './passage-words.ts'
import { rangeOfText } from '../../../dom/text-places.ts'

export function useSpokenWord(input: {
  body: RefObject<HTMLDivElement | null>
  view: CutView
  player: CutPlayer
  withRemoved: boolean
  /** The rows that are in the page, as a list with commas. */
  rows: string
  show: (index: number) => void
}): void {
  const { body, view, player, withRemoved, rows } = input
  const show = useRef(input.show)
  const shownRow = useRef(-1)
  useEffect(() => {
    show.current = input.show
  })
  useEffect(() => {
    if (!('highlights' in CSS)) return undefined
    const spoken = new Highlight()
    CSS.highlights.set('spoken', spoken)
    const inPage = new Set(rows.split(',').map(Number))
    let shownWord = ''
    let playing: Element | null | undefined
    const mark = (row?: Element | null): void => {
      playing?.removeAttribute('data-playing')
      row?.setAttribute('data-playing', '')
      playing = row
    }
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
      if (index >= 0 && player.speed() !== 0 && index !== shownRow.current) show.current(index)
      shownRow.current = index
      const row = inPage.has(index)
        ? body.current?.querySelector(`[data-index="${index}"] [data-passage]`)
        : null
      mark(row)
      const text = row?.querySelector('[data-words]')
      if (!text || !passage || !word) return
      const placed = layOutPassage(passage, withRemoved).words.find((item) => item.in === word.in)
      if (placed) spoken.add(rangeOfText(text, placed))
    }
    follow()
    const stop = player.subscribe(follow)
    return () => {
      stop()
      mark()
      CSS.highlights.delete('spoken')
    }
  }, [body, view, player, withRemoved, rows])
}
