/** Something to upload: a browser's File, a Blob with a name, or a file read piece by piece. */
export interface UploadSource {
  name: string
  size: number
  type?: string
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer> | Blob>
}

export type Uploadable = UploadSource | Blob | { name: string; data: Blob }

export function sourceOf(file: Uploadable): UploadSource {
  if ('read' in file) return file
  const { name, blob } = file instanceof Blob ? named(file) : { name: file.name, blob: file.data }
  const { size, type } = blob
  // A slice is read when it is sent, and never as a whole.
  return { name, size, type, read: (start, end) => Promise.resolve(blob.slice(start, end)) }
}

/** A File has a name; a plain Blob has none. */
function named(blob: Blob): { name: string; blob: Blob } {
  return { name: 'name' in blob ? String(blob.name) : 'untitled', blob }
}
