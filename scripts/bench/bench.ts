/**
 * `npm run bench [-- name args]`: prints figures, each as a ratio to a peer or a limit measured in
 * the same run. Every other module here that exports `run` is one; all run when none is named.
 */
import { readdir } from 'node:fs/promises'
import { ensureSystemPackages, toTest } from '../system-packages.ts'

const [name, ...args] = process.argv.slice(2)
const folder = new URL('.', import.meta.url)
const found = (await readdir(folder))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'bench.ts')
  .map((file) => file.slice(0, -3))
if (name !== undefined && !found.includes(name)) {
  console.error(`There is no benchmark "${name}". There are: ${found.join(', ')}.`)
  process.exit(2)
}
ensureSystemPackages(toTest)
for (const one of name === undefined ? found : [name]) {
  const module = (await import(new URL(`${one}.ts`, folder).href)) as {
    run?: (args: string[]) => Promise<void>
  }
  if (!module.run) continue
  console.log(`# ${one}`)
  await module.run(args)
}
