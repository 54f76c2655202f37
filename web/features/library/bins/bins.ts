/** The bins of all projects, and the calls that change them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Place } from '../../../../contract/footage/content.ts'
import type { Bin } from '../../../../contract/footage/projects.ts'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'

const noBins: readonly Bin[] = []

/** None until they are known, and of a server that knows none. */
export function useBins(): readonly Bin[] {
  const { data } = useQuery({
    queryKey: [...keys.projects, 'bins'],
    queryFn: ({ signal }) => api.listBins({ query: {} }, { signal }),
  })
  return data?.bins ?? noBins
}

/** From the project down to the bin itself. */
export function binPath(bins: readonly Bin[], id: string | null | undefined): Bin[] {
  const bin = bins.find((other) => other.id === id)
  return bin ? [...binPath(bins, bin.parent_id), bin] : []
}

export function isWithin(bins: readonly Bin[], id: string | null, outer: string): boolean {
  return binPath(bins, id).some((bin) => bin.id === outer)
}

/** Items in a bin and in those below it. */
export function countIn(bins: readonly Bin[], id: string): number {
  return bins
    .filter((bin) => bin.parent_id === id)
    .reduce(
      (sum, bin) => sum + countIn(bins, bin.id),
      bins.find((bin) => bin.id === id)?.item_count ?? 0,
    )
}

type Change =
  | { kind: 'create'; place: Place; name: string }
  | { kind: 'update'; id: string; body: { name?: string; parent_id?: string | null } }
  | { kind: 'delete'; id: string }

export function useChangeBin() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change): Promise<void> => {
      if (change.kind === 'delete') await api.deleteBin({ params: { id: change.id } })
      else if (change.kind === 'update') {
        await api.updateBin({ params: { id: change.id }, body: change.body })
      } else {
        const { project_id: id, bin_id: parent_id } = change.place
        await api.createBin({ params: { id: id ?? '' }, body: { name: change.name, parent_id } })
      }
    },
    meta: { failure: { title: 'Bin not changed' } },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.projects })
      void queries.invalidateQueries({ queryKey: keys.content })
    },
  })
}
