import { globSync } from 'node:fs'
import { resolve } from 'node:path'

/** Every test file of the repository, by its path in it: a new folder cannot be left out. */
export function listTestFiles(): string[] {
  const root = resolve(import.meta.dirname, '../..')
  return globSync('**/*.test.ts', {
    cwd: root,
    exclude: ['**/node_modules', 'data', 'dist'],
  }).sort()
}
