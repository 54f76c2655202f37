/** Who visibly talks when; the work is in find-talking.ts, which is loaded when it runs. */
import type { Extractor } from './extractor.ts'
import { NoParams } from './extractor.ts'

export const talkingExtractor: Extractor<'talking', NoParams> = {
  id: 'talking',
  version: '13',
  params: NoParams,
  // Requires neither: lips still move without sound, and there is speech without frames.
  requires: [],
  needs: ['sound', 'voice', 'faces'],
  async run({ speech, voice, faces, clock }, _params, { signal }) {
    const { findTalking } = await import('./find-talking.ts')
    return await findTalking({
      clock,
      vad: voice ?? undefined,
      audioFile: speech?.file,
      samples: speech?.samples,
      faces: faces ?? undefined,
      signal,
    })
  },
}
