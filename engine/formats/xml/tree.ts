/**
 * A strict reader for the XML that exports write: elements, attributes in double quotes, text and
 * the predefined entities. Anything else is a fault of the writer. Every export waits for it, and
 * knowing so little it is several times faster than a general parser.
 */
import { fail } from '../compare.ts'

export interface Tree {
  name: string
  attributes: Record<string, string>
  children: Tree[]
  text: string
}

const token = /<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/y
const attributePattern = / ([\w-]+)="([^"<]*)"/g

export function readXml(body: string, rootName: string): Tree {
  const head = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE (\w+)>\n/.exec(body)
  if (head?.[1] !== rootName) fail(`the document is no ${rootName}`)
  const top: Tree = { name: '', attributes: {}, children: [], text: '' }
  const open: Tree[] = [top]
  token.lastIndex = head[0].length
  while (token.lastIndex < body.length) {
    const at = token.lastIndex
    const match = token.exec(body)
    if (!match) fail(`the XML breaks at character ${at}`)
    const inside = open.at(-1)!
    const [, closed, opened, attributes = '', empty, text] = match
    if (text !== undefined) {
      inside.text += decode(text)
    } else if (closed !== undefined) {
      if (inside.name !== closed) fail(`<${inside.name}> is closed by </${closed}>`)
      open.pop()
    } else {
      const node = { name: opened!, attributes: readAttributes(attributes), children: [], text: '' }
      inside.children.push(node)
      if (empty === '') open.push(node)
    }
  }
  if (open.length !== 1) fail(`<${open.at(-1)!.name}> is never closed`)
  const root = top.children[0]
  return root?.name === rootName ? root : fail(`there is no <${rootName}>`)
}

export function child(tree: Tree, name: string): Tree {
  return tree.children.find((node) => node.name === name) ?? fail(`<${tree.name}> has no <${name}>`)
}

export function childrenOf(tree: Tree, name: string): Tree[] {
  return tree.children.filter((node) => node.name === name)
}

/** All elements of that name at any depth, in order. */
export function descendants(tree: Tree, name: string): Tree[] {
  return tree.children.flatMap((node) => [
    ...(node.name === name ? [node] : []),
    ...descendants(node, name),
  ])
}

export function attribute(tree: Tree, name: string): string {
  return tree.attributes[name] ?? fail(`<${tree.name}> has no ${name}`)
}

export function integer(tree: Tree, name: string): number {
  const { text } = child(tree, name)
  return /^-?\d+$/.test(text) ? Number(text) : fail(`<${name}> is ${text}`)
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name, value] of text.matchAll(attributePattern)) attributes[name!] = decode(value!)
  return attributes
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (whole, code?: string, name?: string) => {
    if (code !== undefined) return String.fromCodePoint(Number(code))
    return entities[name ?? ''] ?? fail(`${whole} is no entity`)
  })
}
