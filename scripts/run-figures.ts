/**
 * `npm run bench` and `npm run lab`, with `-- name args`: print figures, each as a ratio to a peer
 * or a limit measured in the same run. Every module below the folder that exports `run` is one; all
 * run when none is named.
 */
import { globSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureSystemPackages, toTest } from './system-packages.ts'

const [folder = '', name, ...args] = process.argv.slice(2)
const root = resolve(import.meta.dirname, '..', folder)
const files = globSync('**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .toSorted()
const modules = new Map(files.map((file) => [basename(file, '.ts'), resolve(root, file)]))
if (name !== undefined && !modules.has(name)) {
  console.error(`There is no "${name}". There are: ${[...modules.keys()].join(', ')}.`)
  process.exit(2)
}
ensureSystemPackages(toTest)
for (const [each, file] of modules) {
  if (name !== undefined && each !== name) continue
  const { run } = (await import(pathToFileURL(file).href)) as {
    run?: (args: string[]) => Promise<void>
  }
  if (!run) continue
  console.log(`# ${each}`)
  await run(args)
}
