/**
 * Gathers the signals of a film in this process, with its sound and its parts at the same time.
 * Several machines do the same with the functions that it calls (`run-part.ts`).
 */
import type { Gathered } from '../extractors/gather.ts'
import type { ToolOutcome } from '../tools/run.ts'
import { hearFilm } from './hear-film.ts'
import { joinFilm, watchFilm } from './join-film.ts'
import { lookAtPart } from './look-at-part.ts'
import { groupSegments } from './plan-film.ts'
import type { Film, Segment } from './plan-film.ts'

export type FilmOutcome =
  | { end: 'done'; gathered: Gathered }
  /** The film cannot be split into segments. */
  | { end: 'unlike' }
  | { end: 'stopped'; outcome: ToolOutcome }

/** The part of the work that hearing is, for the progress. */
const soundShare = 0.1

export async function gatherFilm(
  film: Film,
  order: {
    file: string
    workDir: string
    parts: number
    signal?: AbortSignal
    onProgress?: (part: number) => void
  },
): Promise<FilmOutcome> {
  const groups = groupSegments(film.segments, order.parts)
  const report = progressOf(groups, order.onProgress)
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, ...(order.signal ? [order.signal] : [])])
  // The first part that fails stops the others: their results are no longer needed.
  const orEnd = async <Outcome extends { end: string }>(work: Promise<Outcome>) => {
    const outcome = await work.catch((error: unknown) => {
      over.abort()
      throw error
    })
    if (outcome.end !== 'done') over.abort()
    return outcome
  }
  const [hearing, ...looks] = await Promise.all([
    orEnd(hearFilm(film, { ...order, signal, onProgress: report.sound })),
    ...groups.map((segments, at) => {
      const onProgress = report.images(at)
      return orEnd(lookAtPart(film, { ...order, segments, signal, onProgress }))
    }),
  ])
  if (looks.some((look) => look.end === 'unlike')) return { end: 'unlike' }
  const stopped = [hearing, ...looks].find((outcome) => outcome.end === 'stopped')
  if (stopped?.end === 'stopped') return stopped
  const parts = looks.flatMap((look) => (look.end === 'done' ? [look.part] : []))
  if (hearing.end !== 'done') return hearing
  const watched = await watchFilm(film, parts, order)
  const pieces = { parts, heard: hearing.heard, watched }
  return { end: 'done', gathered: await joinFilm(film, pieces, { ...order, needs: film.needs }) }
}

function progressOf(
  groups: readonly Segment[][],
  onProgress: (part: number) => void = () => undefined,
) {
  let sound = 0
  const images = groups.map(() => 0)
  const total = groups.flat().length
  const report = (): void => {
    const seen = groups.reduce((sum, { length }, at) => sum + (length / total) * images[at]!, 0)
    onProgress(soundShare * sound + (1 - soundShare) * seen)
  }
  return {
    sound: (part: number): void => {
      sound = part
      report()
    },
    images:
      (at: number) =>
      (part: number): void => {
        images[at] = part
        report()
      },
  }
}
