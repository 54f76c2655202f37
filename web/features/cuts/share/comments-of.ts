/** Comments on all links of a cut or of a clip's review, for their owner. */
import { useQuery } from '@tanstack/react-query'
import type { Comment } from '../../../../contract/footage/shares.ts'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'
import { commentsNow } from './comment-places.ts'

const watchMs = 30_000
const none: readonly Comment[] = []

export function useCommentsOf(
  thing: { cut_id: string } | { job_id: string } | null,
): readonly Comment[] {
  const { data } = useQuery({
    queryKey: [...keys.comments, thing],
    queryFn: ({ signal }) => api.listComments({ query: thing ?? {} }, { signal }),
    enabled: thing !== null,
    refetchInterval: watchMs,
    retry: false,
    select: (answer) => ({ comments: commentsNow(answer.comments) }),
  })
  return data?.comments ?? none
}
