/** The chapters of a book in the order in which they are read, which its package lists. */
import path from 'node:path'
import { withoutEntities } from './entities.ts'
import type { Archive } from './zip.ts'

const maxChapters = 500

/** Without a list that names chapters, all pages as the archive holds them. */
export async function chaptersOf({ names, read }: Archive): Promise<string[]> {
  const pages = names.filter((name) => /\.x?html?$/i.test(name))
  const packageName = names.find((name) => name.endsWith('.opf'))
  const listed = packageName ? spineOf(await read(packageName), packageName) : []
  const known = new Set(names)
  const chapters = listed.filter((name) => known.has(name))
  return (chapters.length > 0 ? chapters : pages).slice(0, maxChapters)
}

function spineOf(xml: string, packageName: string): string[] {
  const files = new Map<string, string>()
  for (const [tag] of xml.matchAll(/<(?:opf:)?item\s[^<>]{1,1000}>/g)) {
    const href = attribute(tag, 'href')
    const id = attribute(tag, 'id')
    if (id && href) files.set(id, path.posix.join(path.posix.dirname(packageName), href))
  }
  const spine = Array.from(xml.matchAll(/<(?:opf:)?itemref\s[^<>]{1,1000}>/g), ([tag]) => {
    return files.get(attribute(tag, 'idref') ?? '')
  })
  return [...new Set(spine)].filter((name) => name !== undefined)
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}=["']([^"'<>]{1,500})["']`).exec(tag)?.[1]
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(withoutEntities(value))
  } catch {
    return withoutEntities(value)
  }
}
