/** Names an attempt: its work folder, the writer of its objects (storage/unowned-objects.ts). */
export function writerOf({ id, fence }: { id: string; fence: number }): string {
  return `${id}.${fence}`
}
