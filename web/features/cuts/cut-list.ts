import { useQuery } from '@tanstack/react-query'
import type { Project } from '../../../contract/footage/projects.ts'
import { api } from '../../app/api.ts'
import { keys } from '../../app/queries.ts'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'

export function useCuts() {
  return useQuery({
    queryKey: keys.cuts,
    queryFn: ({ signal }) => api.listCuts({ query: {} }, { signal }),
  })
}

export function useProjectList(): readonly Project[] {
  const { data } = useQuery({
    queryKey: keys.projects,
    queryFn: ({ signal }) => api.listProjects(undefined, { signal }),
  })
  return data?.projects ?? []
}

export function useProjectOf(id: string | null): Project | undefined {
  return useProjectList().find((project) => project.id === id)
}

const lastCutKey = 'last-cut'

/** The cut that something was added to last, on this device. */
export function lastCutId(): string | null {
  return readLocal(lastCutKey)
}

export function rememberCut(id: string): void {
  writeLocal(lastCutKey, id)
}
