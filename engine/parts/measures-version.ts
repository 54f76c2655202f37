import { extractors } from '../extractors/registry.ts'

/** Increase when parts hand over something different (artifacts.ts, signals). */
const handOverVersion = 3

/**
 * All parts of one film share this version: signals of two versions are not joined. It grows with
 * the version of any extractor.
 */
export const measuresVersion = extractors.reduce(
  (sum, { version }) => sum + Number(version),
  handOverVersion,
)
