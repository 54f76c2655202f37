/** Something to upload: a browser's File, a Blob with a name, or a file that is read piece by piece. */
export interface UploadSource {
  name: string
  size: number
  type?: string
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

export type Uploadable = UploadSource | Blob | { name: string; data: Blob }

export function sourceOf(file: Uploadable): UploadSource {
  if ('read' in file) return file
  const { name, blob } = file instanceof Blob ? named(file) : { name: file.name, blob: file.data }
  return {
    name,
    size: blob.size,
    type: blob.type,
    read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
  }
}

/** A File has a name; a plain Blob has none. */
function named(blob: Blob): { name: string; blob: Blob } {
  return { name: 'name' in blob ? String(blob.name) : 'untitled', blob }
}
