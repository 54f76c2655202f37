/** Names of files that strangers chose: made safe to store, to show and to put into a header. */

const maxLength = 255

/** The last part of a path, without what a screen or a header cannot take. */
export function cleanFileName(name: string | null | undefined, otherwise: string): string {
  const base = (name ?? '').toWellFormed().split(/[/\\]/).at(-1) ?? ''
  // Control characters, and marks that turn the reading direction, disguise a name.
  const visible = base
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
  const isName = visible !== '' && visible !== '.' && visible !== '..'
  return isName ? shorten(visible) : otherwise
}

/** RFC 6266: a plain name for old readers, the true one as UTF-8 beside it. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%;]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export function nameFromDisposition(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null
  const encoded = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header)?.[1]
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(header)
  const name = cleanFileName(decode(encoded) ?? plain?.[1] ?? plain?.[2], '')
  return name === '' ? null : name
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return undefined
  }
}

/** Keeps the extension, which tells people what a file is. */
function shorten(name: string): string {
  if (name.length <= maxLength) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 16 ? name.slice(dot) : ''
  let kept = ''
  for (const letter of name) {
    if (kept.length + letter.length + extension.length > maxLength) break
    kept += letter
  }
  return kept + extension
}
