/** XML through libxml2, and the checks of its grammar. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { spawnSync } from 'node:child_process'
import { DtdValidator, ParseOption, XmlDocument, XmlDtd, XmlElement } from 'libxml2-wasm'

/** An element without the memory of the parser behind it. */
export interface XmlTree {
  name: string
  attributes: Record<string, string>
  children: XmlTree[]
  text: string
}

export function parseXml(text: string): XmlTree {
  using document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_HUGE })
  return treeOf(document.root)
}

export function find(tree: XmlTree, name: string): XmlTree[] {
  return tree.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...find(child, name),
  ])
}

export function only(tree: XmlTree, ...path: string[]): XmlTree {
  return path.reduce((at, name) => {
    const children = at.children.filter((child) => child.name === name)
    if (children.length !== 1) throw new Error(`${children.length} <${name}> in <${at.name}>`)
    return children[0]!
  }, tree)
}

/** Where the grammars of others lie, if this machine has them. */
const validators = resolve(import.meta.dirname, '../../../shared/media/validators')

export function grammarFile(name: string): string | null {
  const file = join(validators, name)
  return existsSync(file) ? file : null
}

/** Throws what libxml2 says against the grammar; xmllint has a second look where it is installed. */
export function validateAgainst(grammar: string, text: string): void {
  using document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_HUGE })
  using validator = new DtdValidator(XmlDtd.fromString(readFileSync(grammar, 'utf8')))
  validator.validate(document)
  const lint = spawnSync('xmllint', ['--huge', '--noout', '--dtdvalid', grammar, '-'], {
    input: text,
    encoding: 'utf8',
  })
  if (lint.error === undefined && lint.status !== 0) throw new Error(lint.stderr)
}

function treeOf(element: XmlElement): XmlTree {
  const children: XmlTree[] = []
  let text = ''
  for (let node = element.firstChild; node !== null; node = node.next) {
    if (node instanceof XmlElement) children.push(treeOf(node))
    else text += node.content
  }
  return {
    name: element.name,
    attributes: Object.fromEntries(element.attrs.map((one) => [one.name, one.value])),
    children,
    text,
  }
}
