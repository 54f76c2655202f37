/** XML as a plain tree, in document order. */
import { XMLParser } from 'fast-xml-parser'
import { fail } from './compare.ts'

export interface Tree {
  name: string
  attributes: Record<string, string>
  children: Tree[]
  text: string
}

type Raw = Record<string, unknown>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  preserveOrder: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
})

export function readXml(body: string, rootName: string): Tree {
  const nodes = parser.parse(body) as Raw[]
  const root = nodes.map(toTree).find((node) => node.name === rootName)
  return root ?? fail(`there is no <${rootName}>`)
}

export function child(tree: Tree, name: string): Tree {
  return tree.children.find((one) => one.name === name) ?? fail(`<${tree.name}> has no <${name}>`)
}

export function childrenOf(tree: Tree, name: string): Tree[] {
  return tree.children.filter((one) => one.name === name)
}

export function attribute(tree: Tree, name: string): string {
  return tree.attributes[name] ?? fail(`<${tree.name}> has no ${name}`)
}

export function integer(tree: Tree, name: string): number {
  const { text } = child(tree, name)
  return /^-?\d+$/.test(text) ? Number(text) : fail(`<${name}> is ${text}`)
}

function toTree(raw: Raw): Tree {
  const name = Object.keys(raw).find((key) => key !== ':@') ?? ''
  const content = raw[name]
  const parts = Array.isArray(content) ? (content as Raw[]) : []
  const texts = parts.flatMap((part) => ('#text' in part ? [part['#text']] : []))
  return {
    name,
    attributes: (raw[':@'] ?? {}) as Record<string, string>,
    children: parts.filter((part) => !('#text' in part)).map(toTree),
    text: texts.join(''),
  }
}
