import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Project, ProjectChanges } from '../../../contract/projects.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'
import { keys } from '../../app/queries.ts'

export const projectsKey = keys.projects

export function useProjects() {
  const { data, isPending, error, refetch } = useQuery({
    queryKey: projectsKey,
    queryFn: ({ signal }) => api.listProjects(undefined, { signal }),
  })
  return {
    projects: data?.projects ?? [],
    /** Nothing until it is known. */
    unfiledCount: data?.unfiled_count,
    isPending,
    // A server that does not know projects has none.
    isError: error !== null && !isMissingCall(error),
    retry: () => void refetch(),
  }
}

/** Creates a project, or changes the one that has an id. */
export function useSaveProject(onSaved: (project: Project) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: ProjectChanges & { name: string; id?: string }) =>
      id ? api.updateProject({ params: { id }, body }) : api.createProject({ body }),
    onSuccess: ({ project }) => {
      void queries.invalidateQueries({ queryKey: projectsKey })
      onSaved(project)
    },
    meta: { failure: { title: 'Project not saved' } },
  })
}

export function useDeleteProject(onDeleted: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.deleteProject({ params: { id } }),
    onSuccess: onDeleted,
    meta: { failure: { title: 'Project not deleted' } },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: projectsKey })
      void queries.invalidateQueries({ queryKey: keys.content })
    },
  })
}
