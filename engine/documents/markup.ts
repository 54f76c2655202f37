/** Reads the words of marked-up text: of a web page, or of the XML of a Word document. */

/** Marks up its words: they are read without the marks. */
export function isWebPage(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:!doctype\s+html|html)[\s>]/i.test(text)
}

/** The text of a document that is written in one, with its notes behind it. */
export function bodiesOf(names: readonly string[]): string[] {
  const parts = ['document', 'footnotes', 'endnotes', 'comments'].map((part) => `word/${part}.xml`)
  return parts.filter((name) => names.includes(name))
}

/** Where Word broke a page when it saved the file, or the writer asked for a new one. */
export const pageBreak = /<w:lastRenderedPageBreak\b|<w:br [^<>]{0,200}\bw:type="page"/

/**
 * Parts that a file keeps but its reader does not see: text that was deleted or moved away with
 * changes tracked, the codes of fields, the second copy of a drawing, a web page's head.
 */
const asides = [
  ...['w:delText', 'w:instrText', 'w:delInstrText', 'w:moveFrom', 'mc:Fallback'],
  ...['a:fld', 'head', 'script', 'style', 'HEAD', 'SCRIPT', 'STYLE'],
]

export function withoutAsides(xml: string): string {
  return asides.reduce(withoutElement, xml)
}

/** By one walk: a pattern would look for the end of each from every start. */
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
 * By one walk: a pattern would look for the end of each `<` up to the end of the text, which for a
 * text of nothing else takes days. `mark` says what stands in a tag's place.
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
