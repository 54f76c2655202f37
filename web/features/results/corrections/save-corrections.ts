/**
 * Loads and saves the corrections of a job. Undo, redo and the merging of two people's changes are
 * those of every saved document (web/saved/saved-document.ts).
 */
import { useMemo } from 'react'
import type { Corrections } from '../../../../domain/findings/corrections.ts'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { noCorrections } from '../../../../domain/findings/no-corrections.ts'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'
import type { DocumentRules, Stored } from '../../../saved/saved-document.ts'
import { useLoadedDocument } from '../../../saved/use-saved-document.ts'
import { showToast } from '../../../ui/toast.tsx'
import { mergeCorrections, takeMine } from './merge-corrections.ts'
import type { Conflict } from './merge-corrections.ts'

type Document = ReturnType<typeof useLoadedDocument<Corrections, Conflict>>

export interface CorrectionState extends Omit<Document, 'change' | 'decide'> {
  corrections: Corrections
  /** True once the saved corrections are loaded; a service without corrections never offers any. */
  isOffered: boolean
  change: (next: Corrections) => void
  /** Resolves the open conflicts: `mine` names those in which this person's change wins. */
  decide: (mine: ReadonlySet<string>) => void
}

/** Lets a person correct the findings in the lists. */
export interface Correcting {
  state: CorrectionState
  /** The findings before corrections. */
  detected: Partial<Findings>
  askSpeaker: (question: SpeakerQuestion) => void
}

export interface SpeakerQuestion {
  speaker: string | null
  /** The passage in question, in seconds. */
  passage: { start: number; end: number } | null
}

export function useCorrections(jobId: string, isWanted: boolean): CorrectionState {
  const load = async (signal: AbortSignal) =>
    stored(await api.getCorrections({ params: { id: jobId } }, { signal }))
  const key = [...keys.corrections, jobId]
  const document = useLoadedDocument(key, load, rulesOf(jobId), isWanted)
  return useMemo(
    () => ({
      ...document,
      corrections: document.value,
      isOffered: document.isLoaded,
      change: (next) => document.change(() => next),
      decide: (mine) =>
        document.decide(({ value, conflicts }) =>
          conflicts.filter((conflict) => mine.has(conflict.key)).reduce(takeMine, value),
        ),
    }),
    [document],
  )
}

function rulesOf(jobId: string): DocumentRules<Corrections, Conflict> {
  return {
    name: `corrections:${jobId}`,
    empty: noCorrections,
    isValue: ({ words, paragraphs, speakers, shots }) =>
      [words, paragraphs, speakers.passages, shots.removed, shots.added].every(Array.isArray) &&
      typeof speakers.names === 'object',
    async save(value, version = 0, options) {
      const call = { params: { id: jobId }, body: { ...value, version } }
      return (await api.saveCorrections(call, options)).version
    },
    readSaved: stored,
    merge: mergeCorrections,
    refusal: 'The service did not take these corrections.',
    onMerged() {
      const message = 'Yours and theirs are both kept.'
      showToast({ type: 'info', title: 'Corrections were also saved elsewhere', message })
    },
  }
}

function stored(saved: { corrections: Corrections; version: number }): Stored<Corrections> {
  return { value: saved.corrections, version: saved.version }
}
