/** Apart from the schemas, so that the web can read it without zod. */
import type { Corrections } from './corrections.ts'

export const noCorrections: Corrections = {
  words: [],
  paragraphs: [],
  speakers: { names: {}, passages: [] },
  shots: { removed: [], added: [] },
}
