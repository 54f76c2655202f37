/** Text in the frames; the work is in find-text.ts, which is loaded when it runs. */
import type { Extractor } from './extractor.ts'
import { NoParams } from './extractor.ts'
import { believedChanges } from './shots.ts'

export const textExtractor: Extractor<'text', NoParams> = {
  id: 'text',
  version: '8',
  params: NoParams,
  requires: ['video'],
  needs: ['changes', 'sound', 'text'],
  async run({ text, changes, sound, clock }, _params, { signal }) {
    if (!text) throw new Error('The pass gave no frames.')
    const cuts = changes ? believedChanges(clock, changes).map((change) => change.end_frame) : []
    const { findText } = await import('./find-text.ts')
    return await findText({ clock, ...text, cuts, sound, signal })
  },
}
