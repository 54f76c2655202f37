/** Renames, moves, rates and deletes clips. A toast undoes a rename or a move. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ContentItem, Place } from '../../../contract/footage/content.ts'
import type { Bin } from '../../../contract/footage/projects.ts'
import { api } from '../../app/api.ts'
import { counted } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { showToast } from '../../ui/toast.tsx'
import { isWithin } from './bins/bins.ts'
import { changeClips, patchClip } from './clips.ts'
import { projectsKey } from './projects.ts'

/** Calls for many items take at most this many. */
const idsPerCall = 500

type Move = Pick<Awaited<ReturnType<typeof api.moveContent>>, 'previous'>

export function useClipChanges(bins: readonly Bin[]) {
  const rename = useRename()
  const move = useMove(bins)
  const mark = useMark()
  const remove = useRemove()
  return {
    rename: (clip: ContentItem, name: string) => rename.mutate({ clip, name }),
    move: (ids: readonly string[], place: Place, name: string | null) =>
      move.mutateAsync({ ids, place, name }),
    mark: (ids: readonly string[], marks: Marks) => mark.mutate({ ids, marks }),
    remove: (ids: readonly string[]) => remove.mutateAsync(ids),
    isDeleting: remove.isPending,
  }
}

/** Where clips go, and the name of that place; null: no project. */
interface Moved {
  ids: readonly string[]
  place: Place
  name: string | null
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

type Marks = Omit<Parameters<typeof api.markContent>[0]['body'], 'content_ids'>

function useMark() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ ids, marks }: { ids: readonly string[]; marks: Marks }) => {
      for (const content_ids of inCalls(ids)) {
        await api.markContent({ body: { ...marks, content_ids } })
      }
    },
    onMutate: ({ ids, marks }) =>
      changeClips(queries, new Set(ids), (clip, filter) => {
        const rating = marks.rating ?? clip.rating
        const [min, max] = [filter.min_rating ?? rating, filter.max_rating ?? rating]
        return rating >= min && rating <= max ? { ...clip, rating } : null
      }),
    meta: { failure: { title: 'Not rated' } },
    onError: () => void queries.invalidateQueries({ queryKey: keys.content }),
    onSuccess: (_, { marks }) => {
      const isKeywords = marks.add_keywords ?? marks.remove_keywords
      void queries.invalidateQueries({
        queryKey: keys.content,
        type: isKeywords ? 'all' : 'inactive',
      })
    },
  })
}

function useMove(bins: readonly Bin[]) {
  const queries = useQueryClient()
  const refresh = useRefresh()
  const showIn = (ids: readonly string[], place: Place) =>
    changeClips(queries, new Set(ids), (clip, filter) => {
      const { project_id: project, bin_id: bin } = filter
      const isGone =
        (project && project !== (place.project_id ?? 'none')) ||
        (bin && !isWithin(bins, place.bin_id, bin))
      return isGone ? null : { ...clip, ...place }
    })
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
    mutationFn: async ({ ids, place }: Moved) => {
      const moves: Move[] = []
      for (const content_ids of inCalls(ids)) {
        moves.push(await api.moveContent({ body: { content_ids, ...place } }))
      }
      return moves
    },
    onSuccess: (moves, { ids, place, name }) => {
      showIn(ids, place)
      showToast({
        type: 'success',
        title: `Moved ${counted(ids.length, 'clip')}`,
        message: name ? `Now in ${name}.` : 'Now in no project.',
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
