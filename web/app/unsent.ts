/** What the service does not have yet, kept on this computer until it does, or until a logout. */
import { unsentPrefix } from './session.tsx'

export function keepUnsent(name: string, value: unknown): void {
  try {
    localStorage.setItem(unsentPrefix + name, JSON.stringify(value))
  } catch {
    // No room or not allowed: it is still in this tab, and sent from there.
  }
}

export function forgetUnsent(name: string): void {
  localStorage.removeItem(unsentPrefix + name)
}

/** `read` gives null for another shape: an older version of this page may have written it. */
export function readUnsent<T>(name: string, read: (value: never) => T | null): T | null {
  const text = localStorage.getItem(unsentPrefix + name)
  if (!text) return null
  try {
    return read(JSON.parse(text) as never)
  } catch {
    return null
  }
}
