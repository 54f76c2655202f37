import { useEffect, useMemo, useState } from 'react'
import { createPlayhead } from './playhead.ts'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'

/** Stays where it is while findings change the names and the pace of frames. */
export function usePlayhead(
  { frames, framesPerSecond }: Pick<Reel, 'frames' | 'framesPerSecond'>,
  startFrame: number,
): Playhead {
  const [firstPace] = useState(framesPerSecond)
  const playhead = useMemo(() => {
    const created = createPlayhead({ frames, framesPerSecond: firstPace })
    created.seek(startFrame)
    return created
  }, [frames, firstPace, startFrame])
  useEffect(() => playhead.setPace(framesPerSecond), [playhead, framesPerSecond])
  return playhead
}
