/** XML through libxml2, and the checks of its grammar. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import {
  DtdValidator,
  ParseOption,
  XmlDocument,
  XmlDtd,
  XmlElement,
  XmlValidateError,
} from 'libxml2-wasm'

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

/**
 * Faults that libxml2 finds against the grammar of what the exports write, which lies beside this
 * file; xmllint has a second look where it is installed.
 */
export function grammarFaults(name: 'fcpxml' | 'xmeml', text: string): string[] {
  const file = join(import.meta.dirname, `${name}.dtd`)
  using document = XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_HUGE })
  using validator = new DtdValidator(XmlDtd.fromString(readFileSync(file, 'utf8')))
  try {
    validator.validate(document)
  } catch (error) {
    if (!(error instanceof XmlValidateError)) throw error
    return [error.message]
  }
  const lint = spawnSync('xmllint', ['--huge', '--noout', '--dtdvalid', file, '-'], {
    input: text,
    encoding: 'utf8',
  })
  return lint.error === undefined && lint.status !== 0 ? [lint.stderr] : []
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
    attributes: Object.fromEntries(element.attrs.map((attr) => [attr.name, attr.value])),
    children,
    text,
  }
}
