/** A small XML writer: elements in, indented text out, everything escaped. */

export interface XmlNode {
  name: string
  attributes: Record<string, string | number | undefined>
  children: (XmlNode | string)[]
}

type Child = XmlNode | string | number | null | undefined | false | readonly Child[]

/** An element; null, undefined and false children are left out. */
export function element(
  name: string,
  attributes: XmlNode['attributes'] = {},
  ...children: Child[]
): XmlNode {
  return { name, attributes, children: flatten(children) }
}

/** An element that has no attributes. */
export function branch(name: string, ...children: Child[]): XmlNode {
  return element(name, {}, ...children)
}

/** An element that holds nothing but text. */
export function text(name: string, value: string | number): XmlNode {
  return { name, attributes: {}, children: [String(value)] }
}

export function renderXml(doctype: string, root: XmlNode): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<!DOCTYPE ${doctype}>`]
  render(root, '', lines)
  return `${lines.join('\n')}\n`
}

function render(node: XmlNode, indent: string, lines: string[]): void {
  const attributes = Object.entries(node.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('')
  const open = `${indent}<${node.name}${attributes}`
  if (node.children.length === 0) {
    lines.push(`${open}/>`)
  } else if (node.children.every((child) => typeof child === 'string')) {
    lines.push(`${open}>${node.children.map(escapeText).join('')}</${node.name}>`)
  } else if (node.children.some((child) => typeof child === 'string')) {
    throw new Error(`<${node.name}> mixes text and elements`)
  } else {
    lines.push(`${open}>`)
    for (const child of node.children) {
      if (typeof child !== 'string') render(child, `${indent}  `, lines)
    }
    lines.push(`${indent}</${node.name}>`)
  }
}

function flatten(children: readonly Child[]): (XmlNode | string)[] {
  return children.flatMap((child): (XmlNode | string)[] => {
    if (child === null || child === undefined || child === false) return []
    if (typeof child === 'string') return [child]
    if (typeof child === 'number') return [String(child)]
    return 'name' in child ? [child] : flatten(child)
  })
}

/** Characters that XML 1.0 cannot hold at all, even escaped. */
// oxlint-disable-next-line no-control-regex
const impossible = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

function escapeText(value: string): string {
  return value
    .toWellFormed()
    .replace(impossible, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}

function escapeAttribute(value: string): string {
  return escapeText(value)
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;')
}
