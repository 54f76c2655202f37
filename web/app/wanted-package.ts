/** The package that a visitor wanted to buy before logging in: offered again once that is done. */
const key = 'wanted-package'

export function keepWantedPackage(id: string): void {
  sessionStorage.setItem(key, id)
}

export function forgetWantedPackage(): void {
  sessionStorage.removeItem(key)
}

export function wantedPackage(): string | null {
  return sessionStorage.getItem(key)
}
