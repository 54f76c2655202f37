/** Which clips are chosen. Ids beyond the loaded pages count too, after "select all". */
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { LassoSelect } from './lasso.tsx'

export interface Selection {
  ids: ReadonlySet<string>
  seconds: number
  isSelected: (id: string) => boolean
  /** Like a file manager: plain selects one, `range` up to here, `toggle` adds or removes. */
  choose: (id: string, how: 'only' | 'range' | 'toggle') => void
  /** Chooses the loaded clips at these places. */
  chooseMany: LassoSelect
  selectAll: (items: readonly { id: string; seconds: number | null }[]) => void
  clear: () => void
}

type Chosen = ReadonlyMap<string, number>

export function useSelection(clips: readonly ContentItem[]): Selection {
  const [chosen, setChosen] = useState<Chosen>(new Map())
  const [anchor, setAnchor] = useState<string | null>(null)
  const choose = useCallback<Selection['choose']>(
    (id, how) => {
      const index = clips.findIndex((clip) => clip.id === id)
      const from = clips.findIndex((clip) => clip.id === anchor)
      if (how === 'range' && from >= 0 && index >= 0) {
        const range = clips.slice(Math.min(from, index), Math.max(from, index) + 1)
        setChosen((before) => new Map([...before, ...range.map(entry)]))
        return
      }
      setAnchor(id)
      setChosen((before) => {
        const next = new Map(how === 'only' ? [] : before)
        const clip = clips[index]
        if (how !== 'only' && before.has(id)) next.delete(id)
        else if (clip) next.set(id, clip.media?.duration ?? 0)
        return next
      })
    },
    [clips, anchor],
  )
  const chooseMany = useLassoed(clips, setChosen)
  return useMemo(
    () => ({
      ids: new Set(chosen.keys()),
      seconds: [...chosen.values()].reduce((sum, seconds) => sum + seconds, 0),
      isSelected: (id) => chosen.has(id),
      choose,
      chooseMany,
      selectAll: (items) => setChosen(new Map(items.map(({ id, seconds }) => [id, seconds ?? 0]))),
      clear: () => setChosen(new Map()),
    }),
    [chosen, choose, chooseMany],
  )
}

/** A lasso that shrinks gives back what it took, and keeps what was chosen before it began. */
function useLassoed(
  clips: readonly ContentItem[],
  setChosen: (change: (before: Chosen) => Chosen) => void,
): Selection['chooseMany'] {
  const taken = useRef<readonly string[]>([])
  return useCallback(
    (indexes, { isAdding, isFirst }) => {
      const entries = indexes.flatMap((index) => (clips[index] ? [entry(clips[index])] : []))
      const earlier = isFirst ? [] : taken.current
      taken.current = entries.map(([id]) => id)
      setChosen((before) => {
        if (!isAdding) return new Map(entries)
        const kept = [...before].filter(([id]) => !earlier.includes(id))
        return new Map([...kept, ...entries])
      })
    },
    [clips, setChosen],
  )
}

function entry(clip: ContentItem): [string, number] {
  return [clip.id, clip.media?.duration ?? 0]
}
