/** The package that a visitor wanted to buy before logging in: offered again once that is done. */
import { readTab, writeTab } from '../dom/browser-storage.ts'

const key = 'wanted-package'

export function keepWantedPackage(id: string): void {
  writeTab(key, id)
}

export function forgetWantedPackage(): void {
  writeTab(key, null)
}

export function wantedPackage(): string | null {
  return readTab(key)
}
