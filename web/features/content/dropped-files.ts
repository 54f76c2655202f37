/** The files of a drop, those inside of folders too. */
import { rememberFolder } from './folder-bins.ts'

/** A card of footage has fewer; a whole disk is a mistake. */
const maxFiles = 5000
const maxDepth = 20
/** Files that computers leave in folders by themselves. */
const litter = /^(?:\.|Thumbs\.db$|desktop\.ini$)/i

/** Call it while the event lasts: its data is gone afterwards. */
export async function droppedFiles(data: DataTransfer | null): Promise<File[]> {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file')
  const entries = items.map((item) => item.webkitGetAsEntry())
  const plain = [...(data?.files ?? [])]
  // A file that a script or an unusual program drops has no entry.
  if (entries.every((entry) => !entry?.isDirectory)) return plain
  const files: File[] = []
  for (const entry of entries) if (entry) await collect(entry, files, 0)
  return files
}

/** The files of a folder picker. */
export function withoutLitter(files: FileList | null): File[] {
  return [...(files ?? [])].filter(({ name }) => !litter.test(name)).slice(0, maxFiles)
}

async function collect(entry: FileSystemEntry, files: File[], depth: number): Promise<void> {
  if (files.length >= maxFiles || depth > maxDepth || litter.test(entry.name)) return
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry)
    rememberFolder(file, entry.fullPath.split('/').slice(1, -1).join('/'))
    files.push(file)
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A folder is read by pieces of a hundred, until a piece is empty.
  for (;;) {
    const piece = await readPiece(reader)
    if (piece.length === 0) return
    const sorted = piece.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    for (const inner of sorted) await collect(inner, files, depth + 1)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => {
    entry.file(resolve, reject)
  })
}

function readPiece(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject)
  })
}
