/** Keeps what to find and how, as it is chosen in the dialog, and makes it an order. */
import { extractorIds, fullAnalysis } from '../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../domain/money/catalogue.ts'
import type { JobOptions } from '../../../domain/job-options.ts'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'
import { parseClockTime } from './clock-time.ts'
import { chosenSpeech, noSpeechChoice } from '../../app/analyse/speech-fields.tsx'
import type { SpeechChoice } from '../../app/analyse/speech-fields.tsx'

export interface Analysis {
  chosen: readonly ExtractorId[]
  speech: SpeechChoice
  /** As typed; empty is the start, or the end. */
  from: string
  to: string
}

export const wholeAnalysis: Analysis = {
  chosen: fullAnalysis,
  speech: noSpeechChoice,
  from: '',
  to: '',
}

/** An extractor's part of a quote, for one clip. */
export interface QuotedLine {
  extractor: ExtractorId
  usd: number
  reused: boolean
  skipped: string | null
}

export function orderOf({ chosen, speech, from, to }: Analysis): { workflow: string } & JobOptions {
  return {
    workflow: extractorIds.filter((id) => chosen.includes(id)).join(','),
    in: parseClockTime(from) ?? undefined,
    out: parseClockTime(to) ?? undefined,
    ...(chosen.includes('transcription') ? chosenSpeech(speech) : {}),
  }
}

export function isTime(text: string): boolean {
  return text.trim() === '' || parseClockTime(text) !== null
}

const keyFor = (projectId: string | null): string => `extractors-${projectId ?? 'none'}`

/** The last choice of extractors, for each project. */
export function readChoice(projectId: string | null): Analysis {
  const saved = readLocal(keyFor(projectId))?.split(',') ?? []
  const known = extractorIds.filter((id) => saved.includes(id))
  return { ...wholeAnalysis, ...(known.length > 0 && { chosen: known }) }
}

export function rememberChoice(projectId: string | null, { chosen }: Analysis): void {
  writeLocal(keyFor(projectId), chosen.join(','))
}
