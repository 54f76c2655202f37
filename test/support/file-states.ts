/** States of the files in a folder, to compare before and after. */
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Mode and bytes of everything in a folder, by its path. */
export function statesUnder(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true }) as string[]
  const states = names.map((name): [string, string] => {
    const path = join(root, name)
    const info = lstatSync(path)
    const mode = (info.mode & 0o7777).toString(8)
    if (!info.isFile()) return [path, `${mode} folder`]
    return [path, `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]
  })
  return Object.fromEntries(states)
}
