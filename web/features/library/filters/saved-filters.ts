/** Filters that were saved by name, with the account's preferences. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'
import { keys } from '../../../app/queries.ts'
import { withFilter } from './filter-list.ts'
import { showToast } from '../../../ui/toast.tsx'

export interface SavedFilter {
  name: string
  /** The query of the address. */
  filter: string
}

const key = [...keys.preferences, 'library-filters']

export function useSavedFilters() {
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await api.getPreferences(undefined, { signal })).preferences.library_filters ?? [],
  })
  const saved = data ?? []
  const save = useMutation({
    mutationFn: (library_filters: SavedFilter[]) =>
      api.savePreferences({ body: { library_filters } }),
    onMutate: (next) => queries.setQueryData(key, next),
    meta: { failure: { title: 'Filter not saved' } },
    onSettled: () => void queries.invalidateQueries({ queryKey: key }),
  })
  return {
    saved,
    /** A name that is there already is given to the new one. */
    add: (added: SavedFilter) =>
      save.mutate([...saved.filter(({ name }) => name !== added.name), added]),
    remove: (gone: SavedFilter) => {
      const index = saved.findIndex(({ name }) => name === gone.name)
      save.mutate(saved.filter(({ name }) => name !== gone.name))
      showToast({
        type: 'success',
        title: 'Filter removed',
        message: gone.name,
        action: {
          label: 'Undo',
          run: () => {
            const now = queries.getQueryData<SavedFilter[]>(key) ?? saved
            save.mutate(withFilter(now, gone, index))
          },
        },
      })
    },
  }
}
