/** Reads the words of marked-up text: of a web page, or of the XML of a Word document. */

/** True if the text begins as a web page does; its markup is then removed. */
export function isWebPage(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html)[\s>]/i.test(text)
}

/** Names of the files in a Word archive that hold its text, with notes last. */
export function bodiesOf(names: readonly string[]): string[] {
  const parts = ['document', 'footnotes', 'endnotes', 'comments'].map((part) => `word/${part}.xml`)
  return parts.filter((name) => names.includes(name))
}

/** A page break that Word recorded when it saved the file, or one that the writer inserted. */
export const pageBreak = /<w:lastRenderedPageBreak\b|<w:br [^<>]{0,200}\bw:type="page"/

/**
 * Parts of a file that its reader does not see: deleted or moved text of tracked changes, field
 * codes, the second copy of a drawing, a web page's head.
 */
const asides = [
  ...['w:delText', 'w:instrText', 'w:delInstrText', 'w:moveFrom', 'mc:Fallback'],
  ...['a:fld', 'head', 'script', 'style', 'HEAD', 'SCRIPT', 'STYLE'],
]

export function withoutAsides(xml: string): string {
  return asides.reduce(withoutElement, xml)
}

/**
 * Removes an element in a single pass: a regular expression would scan to the end for each start.
 */
function withoutElement(xml: string, name: string): string {
  let kept = ''
  let from = 0
  let search = 0
  for (;;) {
    const start = xml.indexOf(`<${name}`, search)
    const tagEnd = start < 0 ? -1 : xml.indexOf('>', start)
    if (tagEnd < 0) break
    search = tagEnd
    const isOther = !/[\s>]/.test(xml[start + name.length + 1] ?? '')
    if (isOther || xml[tagEnd - 1] === '/') continue
    const end = xml.indexOf(`</${name}>`, tagEnd)
    if (end < 0) break
    kept += xml.slice(from, start)
    from = end + name.length + 3
    search = from
  }
  return kept + xml.slice(from)
}

/**
 * Removes tags in a single pass: a regular expression would scan to the end for each `<`, which
 * takes days for a text of nothing else. `mark` returns what replaces a tag.
 */
export function withoutTags(xml: string, mark: (tag: string) => string = () => ''): string {
  let text = ''
  let from = 0
  for (;;) {
    const start = xml.indexOf('<', from)
    const end = start < 0 ? -1 : xml.indexOf('>', start)
    if (end < 0) return text + xml.slice(from)
    text += xml.slice(from, start) + mark(xml.slice(start, end + 1))
    from = end + 1
  }
}
