/** Renames, moves and deletes clips. What can be undone answers with a toast that undoes it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ContentItem } from '../../../contract/content.ts'
import type { Project } from '../../../contract/projects.ts'
import { api, messageOf } from '../../app/api.ts'
import { counted } from '../../app/figures.ts'
import { showToast } from '../../ui/toast.tsx'
import { projectsKey } from './projects.ts'

/** Calls for many items take at most this many. */
const idsPerCall = 500

export function useClipChanges() {
  const queries = useQueryClient()
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['content'] })
    void queries.invalidateQueries({ queryKey: projectsKey })
  }
  const fail = (title: string) => (error: unknown) =>
    showToast({
      type: 'error',
      title,
      message: messageOf(error, 'Please check your connection and try again.'),
    })
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      api.updateContent({ params: { id }, body: { file_name: name } }),
    onError: fail('Not renamed'),
    onSettled: refresh,
  })
  const move = useMutation({
    mutationFn: async ({ ids, project }: { ids: readonly string[]; project: Project | null }) => {
      for (const content_ids of inCalls(ids)) {
        await api.moveContent({ body: { content_ids, project_id: project?.id ?? null } })
      }
    },
    onSuccess: (_, { ids, project }) =>
      showToast({
        type: 'success',
        title: `Moved ${counted(ids.length, 'clip')}`,
        message: project ? `Now in ${project.name}.` : 'Now in no project.',
      }),
    onError: fail('Not moved'),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const content_ids of inCalls(ids)) await api.deleteManyContent({ body: { content_ids } })
    },
    onSuccess: (_, ids) =>
      showToast({
        type: 'success',
        title: 'Success',
        message: ids.length === 1 ? 'Content deleted' : `${counted(ids.length, 'clip')} deleted`,
      }),
    onError: fail('Failed to delete content'),
    onSettled: refresh,
  })
  return {
    rename: (clip: ContentItem, name: string) => rename.mutate({ id: clip.id, name }),
    move: (ids: readonly string[], project: Project | null) => move.mutateAsync({ ids, project }),
    remove: (ids: readonly string[]) => remove.mutateAsync(ids),
    isDeleting: remove.isPending,
  }
}

function inCalls(ids: readonly string[]): string[][] {
  const calls: string[][] = []
  for (let first = 0; first < ids.length; first += idsPerCall) {
    calls.push(ids.slice(first, first + idsPerCall))
  }
  return calls
}
