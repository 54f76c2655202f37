/** Keeps what the service does not have yet on this computer until it does, or until a logout. */
import { readLocal, writeLocal } from '../dom/browser-storage.ts'
import { unsentPrefix } from '../session/session.tsx'

export function keepUnsent(name: string, value: unknown): void {
  // Without room or permission it is still in this tab, and sent from there.
  writeLocal(unsentPrefix + name, JSON.stringify(value))
}

export function forgetUnsent(name: string): void {
  writeLocal(unsentPrefix + name, null)
}

/** `read` gives null for another shape: an older version of this page may have written it. */
export function readUnsent<T>(name: string, read: (value: never) => T | null): T | null {
  const text = readLocal(unsentPrefix + name)
  if (!text) return null
  try {
    return read(JSON.parse(text) as never)
  } catch {
    return null
  }
}
