import { useEffect, useMemo, useState } from 'react'
import { createPlayhead } from './playhead.ts'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'

/** Where frames vary, their names and pace change with what is found: the playhead stays where it is. */
export function usePlayhead(
  { frames, framesPerSecond }: Pick<Reel, 'frames' | 'framesPerSecond'>,
  startFrame: number,
): Playhead {
  const [firstPace] = useState(framesPerSecond)
  const playhead = useMemo(() => {
    const made = createPlayhead({ frames, framesPerSecond: firstPace })
    made.seek(startFrame)
    return made
  }, [frames, firstPace, startFrame])
  useEffect(() => playhead.setPace(framesPerSecond), [playhead, framesPerSecond])
  return playhead
}
