import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Clapperboard } from 'lucide-react'
import { useNavigate } from 'react-router'
import { fullAnalysis } from '../../../domain/money/catalogue.ts'
import { api } from '../../app/api.ts'
import { Button } from '../../ui/button.tsx'

/** One press from an empty account to a running analysis of the sample clip. */
export function TrySample() {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const start = useMutation({
    mutationFn: async () => {
      const { content } = await api.addSample()
      const body = { content_url: content.canonical_url, workflow: fullAnalysis.join(',') }
      return api.createJob({ body })
    },
    onSuccess: async ({ job }) => {
      await navigate(`/jobs/${job.id}`)
    },
    meta: { failure: { fallback: 'Failed to create job' } },
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Button look="primary" size="md" busy={start.isPending} onClick={() => start.mutate()}>
      <Clapperboard size={14} aria-hidden /> Try the sample clip
    </Button>
  )
}
