/** Storage may be off or full: then nothing is kept beyond the page, and nothing breaks. */

/** Kept on this device. */
export function readLocal(key: string): string | null {
  return read(() => localStorage, key)
}

/** Null removes it. */
export function writeLocal(key: string, value: string | null): void {
  write(() => localStorage, key, value)
}

export function localKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}

/** Kept as long as the tab. */
export function readTab(key: string): string | null {
  return read(() => sessionStorage, key)
}

export function writeTab(key: string, value: string | null): void {
  write(() => sessionStorage, key, value)
}

// Where storage is forbidden, naming it throws.
function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // The value lasts as long as the page.
  }
}
