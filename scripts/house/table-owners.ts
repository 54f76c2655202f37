/** Which folders of the server own which tables, by the migration that creates them. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

const foldersOf = (...nouns: string[]): string[] => nouns.map((noun) => `server/${noun}/`)

/** Owners of migrations that not the noun of their name alone owns. */
const sharedBy: Record<string, string[]> = {
  bins: foldersOf('projects'),
  accounts: foldersOf('accounts', 'sign-in'),
  'clip-reviews': foldersOf('findings'),
  content: foldersOf('content', 'uploads'),
  http: ['server/http/', 'server/ground/signing-key.ts'],
  jobs: foldersOf('results', 'jobs', 'findings', 'work', 'runs'),
  ledger: foldersOf('billing'),
}

/** By its name, which is a number and a noun. */
export function ownerOf(migration: string): string[] | undefined {
  const noun = /^\d{4}_(\w+)\.sql$/.exec(migration)?.[1]?.replaceAll('_', '-')
  return noun === undefined ? undefined : (sharedBy[noun] ?? foldersOf(noun))
}

/** The folders that own each table; the first is the one that others read it from. */
export function tableOwners(): Map<string, string[]> {
  const owners = new Map<string, string[]>()
  for (const file of globSync('server/db/migrations/*.sql', { cwd: root })) {
    const owner = ownerOf(basename(file)) ?? []
    for (const match of readFileSync(join(root, file), 'utf8').matchAll(
      /create table (?:if not exists )?(\w+)/gi,
    )) {
      owners.set(match[1] ?? '', owner)
    }
  }
  return owners
}
