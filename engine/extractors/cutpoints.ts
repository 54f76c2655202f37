/** Frames where a cut works; the work is in find-cut-points.ts, which is loaded when it runs. */
import type { Extractor } from './extractor.ts'
import { NoParams } from './extractor.ts'
import { believedChanges } from './shots.ts'

export const cutpointsExtractor: Extractor<'cutpoints', NoParams> = {
  id: 'cutpoints',
  version: '22',
  hearsWords: true,
  options: ['vocabulary', 'language'],
  params: NoParams,
  requires: [],
  needs: ['changes', 'sound', 'voice', 'faces'],
  async run({ speech, voice, faces, changes, clock, findings }, _params, { signal }) {
    const { findCutPoints } = await import('./find-cut-points.ts')
    return await findCutPoints({
      clock,
      words: findings.transcription?.words,
      vad: voice ?? undefined,
      audioFile: speech?.file,
      samples: speech?.samples,
      faces: faces ?? undefined,
      shots: changes ? { changes: believedChanges(clock, changes) } : undefined,
      motion: changes?.film.layout.subarray(0, clock.frames),
      signal,
    })
  },
}
