/** Renames, moves and deletes clips. A rename or a move is answered with a toast that undoes it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ContentItem } from '../../../contract/footage/content.ts'
import type { Project } from '../../../contract/footage/projects.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { showToast } from '../../ui/toast.tsx'
import { changeClips, patchClip } from './clips.ts'
import { projectsKey } from './projects.ts'

/** Calls for many items take at most this many. */
const idsPerCall = 500

type Move = Pick<Awaited<ReturnType<typeof api.moveContent>>, 'previous'>

export function useClipChanges() {
  const rename = useRename()
  const move = useMove()
  const remove = useRemove()
  return {
    rename: (clip: ContentItem, name: string) => rename.mutate({ clip, name }),
    move: (ids: readonly string[], project: Project | null) => move.mutateAsync({ ids, project }),
    remove: (ids: readonly string[]) => remove.mutateAsync(ids),
    isDeleting: remove.isPending,
  }
}

function useRename() {
  const queries = useQueryClient()
  const rename = useMutation({
    mutationFn: ({ clip, name }: { clip: ContentItem; name: string; isUndo?: boolean }) =>
      api.updateContent({ params: { id: clip.id }, body: { file_name: name } }),
    onMutate: ({ clip, name }) => patchClip(queries, clip.id, { file_name: name }),
    onSuccess: ({ content }, { clip, isUndo }) => {
      // The service takes out what no file system can store.
      patchClip(queries, clip.id, { file_name: content.file_name })
      if (isUndo) return
      const undo = { clip: content, name: clip.file_name, isUndo: true }
      showToast({
        type: 'success',
        title: 'Renamed',
        message: `Now ${content.file_name}.`,
        action: { label: 'Undo', run: () => rename.mutate(undo) },
      })
    },
    onError: (_, { clip }) => patchClip(queries, clip.id, { file_name: clip.file_name }),
    meta: { failure: { title: 'Not renamed' } },
  })
  return rename
}

function useMove() {
  const queries = useQueryClient()
  const refresh = useRefresh()
  const showIn = (ids: readonly string[], projectId: string | null) =>
    changeClips(queries, new Set(ids), (clip, filter) =>
      filter.project_id && filter.project_id !== (projectId ?? 'none')
        ? null
        : { ...clip, project_id: projectId },
    )
  const undoMove = useMutation({
    mutationFn: async (moves: readonly Move[]) => {
      for (const { previous } of moves) {
        for (const body of previous) await api.moveContent({ body })
      }
    },
    meta: { failure: { title: 'Not moved back' } },
    // Back in the lists that they had left.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: keys.content })
      void queries.invalidateQueries({ queryKey: projectsKey })
    },
  })
  const move = useMutation({
    mutationFn: async ({ ids, project }: { ids: readonly string[]; project: Project | null }) => {
      const moves: Move[] = []
      for (const content_ids of inCalls(ids)) {
        moves.push(
          await api.moveContent({ body: { content_ids, project_id: project?.id ?? null } }),
        )
      }
      return moves
    },
    onSuccess: (moves, { ids, project }) => {
      showIn(ids, project?.id ?? null)
      showToast({
        type: 'success',
        title: `Moved ${counted(ids.length, 'clip')}`,
        message: project ? `Now in ${project.name}.` : 'Now in no project.',
        action: { label: 'Undo', run: () => undoMove.mutate(moves) },
      })
    },
    meta: { failure: { title: 'Not moved' } },
    onSettled: refresh,
  })
  return move
}

function useRemove() {
  const queries = useQueryClient()
  const onSettled = useRefresh()
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const content_ids of inCalls(ids)) await api.deleteManyContent({ body: { content_ids } })
    },
    onSuccess: (_, ids) => {
      changeClips(queries, new Set(ids), () => null)
      showToast({
        type: 'success',
        title: 'Success',
        message: ids.length === 1 ? 'Content deleted' : `${counted(ids.length, 'clip')} deleted`,
      })
    },
    meta: { failure: { title: 'Failed to delete content' } },
    onSettled,
  })
}

/** Lists that are not shown load again when they are; the shown one was changed in place. */
function useRefresh() {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: keys.content, type: 'inactive' })
    void queries.invalidateQueries({ queryKey: projectsKey })
  }
}

function inCalls(ids: readonly string[]): string[][] {
  const calls: string[][] = []
  for (let first = 0; first < ids.length; first += idsPerCall) {
    calls.push(ids.slice(first, first + idsPerCall))
  }
  return calls
}
