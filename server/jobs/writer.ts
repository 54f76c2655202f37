/** Names an attempt: its work folder, and the writer of its objects (`server/storage/unowned-objects.ts`). */
export function writerOf({ id, fence }: { id: string; fence: number }): string {
  return `${id}.${fence}`
}
