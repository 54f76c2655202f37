/** Chooses what to find in a clip, with the price of each, and starts the job that finds it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { extractorIds, fullAnalysis } from '../../../../domain/money/catalogue.ts'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { optionsOf } from '../../../../domain/job-options.ts'
import type { ContentItem } from '../../../../contract/footage/content.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'
import { api } from '../../../app/api.ts'
import { keys, refreshJobs } from '../../../app/queries.ts'
import { useQuote } from '../../../app/analyse/quote-line.tsx'
import { chosenSpeech, noSpeechChoice } from '../../../app/analyse/speech-fields.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { isEnded } from '../job-data.ts'
import { findRows } from './find-rows.ts'

export type Finding = ReturnType<typeof useFinding>

export function useFinding({
  clip,
  job,
  findings,
  beforePlaced,
  onPlaced,
}: {
  /** Null if the clip itself is gone: nothing more can be ordered. */
  clip: ContentItem | null
  job: Job | null
  findings: Partial<Findings>
  /** Saves what the new job begins with. */
  beforePlaced: () => Promise<boolean>
  onPlaced: (jobId: string) => void
}) {
  const queries = useQueryClient()
  const [picked, setPicked] = useState<ReadonlySet<ExtractorId> | null>(null)
  const [speech, setSpeech] = useState(noSpeechChoice)
  const isRunning = job !== null && !isEnded(job)
  // A further analysis stays on the range, and with the words that were heard.
  const isHeard = job?.extractors.some(({ id }) => id === 'transcription')
  const options = { ...(job && optionsOf(job)), ...(isHeard ? {} : chosenSpeech(speech)) }
  const content_url = clip && !isRunning ? clip.canonical_url : ''
  const quote = useQuote({ content_url, workflow: extractorIds.join(), ...options })
  const lines = quote.data?.quote.lines ?? []
  const rows = findRows(job, findings, lines)
  const offered = clip ? rows.filter(({ state }) => state === 'new') : []
  const usual = picked ?? new Set(job ? [] : fullAnalysis)
  const chosen = offered.filter(({ id }) => usual.has(id))
  const total = chosen.reduce((sum, row) => sum + (row.usd ?? 0), 0)
  const isTooDear = quote.data !== undefined && quote.data.quote.available_usd < total
  const place = useMutation({
    async mutationFn() {
      if (!(await beforePlaced())) return null
      // With what is known already and free, so that one job has all of it.
      const wanted = lines
        .filter(({ extractor, reused }) => reused || chosen.some(({ id }) => id === extractor))
        .map(({ extractor }) => extractor)
      return api.createJob({ body: { content_url, workflow: wanted.join(), ...options } })
    },
    async onSuccess(placed) {
      if (!placed) return
      setPicked(null)
      queries.setQueryData([...keys.job, placed.job.id], placed)
      void queries.invalidateQueries({ queryKey: keys.me })
      await refreshJobs(queries)
      onPlaced(placed.job.id)
    },
    meta: { failure: { fallback: 'Failed to create job' } },
  })
  return {
    job,
    rows,
    offered,
    chosen,
    quote,
    isRunning,
    isTooDear,
    isPlacing: place.isPending,
    speech,
    setSpeech,
    toggle: (id: ExtractorId) => setPicked(usual.symmetricDifference(new Set([id]))),
    analyse: () => {
      if (place.isPending || isRunning || isTooDear || !clip) return undefined
      if (chosen.length > 0) return place.mutate()
      const message = 'Please select at least one extractor'
      return showToast({ type: 'error', title: 'Validation Error', message })
    },
  }
}
