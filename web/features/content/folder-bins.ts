/** Bins for the folders that files come in. */
import type { Place } from '../../../contract/footage/content.ts'
import { api } from '../../app/api.ts'
import { isMissingCall } from '../../app/failures.ts'

/** Folders of files that were dropped; those of a folder picker carry them themselves. */
const folders = new WeakMap<File, string>()

export function rememberFolder(file: File, folder: string): void {
  folders.set(file, folder)
}

function folderOf(file: File): string {
  return folders.get(file) ?? file.webkitRelativePath.split('/').slice(0, -1).join('/')
}

/**
 * Where each file goes: into the bin of its folder, below the place. All bins are asked for in one
 * call before the first file is sent, and again after a failure. Outside of a project the outermost
 * folder is the project.
 */
export function placesInFolders(
  files: readonly File[],
  place: Place,
): (file: File) => Promise<Place> {
  const paths = [...new Set(files.map(folderOf))].filter(Boolean)
  let asking: Promise<ReadonlyMap<string, Place>> | null = null
  return async (file) => {
    const folder = folderOf(file)
    if (!folder) return place
    asking ??= makePlaces(paths, place)
    try {
      return (await asking).get(folder) ?? place
    } catch (error) {
      asking = null
      // A server without bins keeps the files together.
      if (isMissingCall(error)) return place
      throw error
    }
  }
}

async function makePlaces(
  paths: readonly string[],
  { project_id, bin_id }: Place,
): Promise<ReadonlyMap<string, Place>> {
  const groups = Map.groupBy(paths, (path) => (project_id ? '' : (path.split('/')[0] ?? '')))
  const places = new Map<string, Place>()
  for (const [outer, inside] of groups) {
    const id = project_id ?? (await projectNamed(outer))
    const below = inside.filter((path) => path !== outer)
    if (!project_id) places.set(outer, { project_id: id, bin_id: null })
    if (below.length === 0) continue
    const { bin_ids: bins } = await api.ensureBins({
      params: { id },
      body: {
        parent_id: bin_id,
        paths: below.map((path) => (project_id ? path : path.slice(outer.length + 1))),
      },
    })
    below.forEach((path, at) => places.set(path, { project_id: id, bin_id: bins[at] ?? null }))
  }
  return places
}

/** The project that an earlier drop of this card made, else a new one. */
async function projectNamed(name: string): Promise<string> {
  const { projects } = await api.listProjects()
  const known = projects.find((project) => project.name === name.trim())
  return (known ?? (await api.createProject({ body: { name } })).project).id
}
