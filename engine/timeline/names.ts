/** Names as each format can hold them. */

/** One printable line: control characters and line breaks become a space; spaces stay. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?<! ) *[\p{Cc}\u2028\u2029\uFFFE\uFFFF][\p{Cc}\u2028\u2029\uFFFE\uFFFF ]*/gu, ' ')
    .trim()
}

/** The name without its last extension. */
export function stemOf(name: string): string {
  return name.replace(/(?<=.)\.[^./\\]{1,8}$/, '')
}

/** A file name that every system takes; what it ends in is never cut off. */
export function fileNameOf(title: string, ending: string): string {
  const safe = oneLine(title)
    .replace(/[\\/:*?"<>|]+/g, '_')
    .replace(/^\.+|[. ]+$/g, '')
  const short = Array.from(safe).slice(0, 120).join('').trim()
  return `${short === '' ? 'export' : short}${ending}`
}

/**
 * The path at which the editor's system looks for the media. Without a path it is the bare name,
 * which the system asks to be located once.
 */
export function mediaPath(name: string, path: string | undefined): string {
  const bare = oneLine(name).replace(/[\\/]+/g, '_') || 'media'
  if (path === undefined || path.trim() === '') return `/${bare}`
  const plain = oneLine(pathOf(path.trim())).replaceAll('\\', '/')
  const whole = plain.endsWith('/') ? plain + bare : plain
  return whole.startsWith('/') ? whole : `/${whole}`
}

/** The path of a file URL; any other text is a path as it is. */
function pathOf(text: string): string {
  const path = /^file:\/\/(?:localhost)?(.*)$/su.exec(text)?.[1]
  try {
    return path === undefined ? text : decodeURIComponent(path)
  } catch {
    return path ?? text
  }
}

/** A file URL with every byte that a URL does not carry as it is in percent form. */
export function fileUrl(path: string, host: '' | 'localhost', driveColon: ':' | '%3a'): string {
  const segments = path.split('/').map((segment, index) => {
    if (index === 1 && /^[A-Za-z]:$/.test(segment)) return segment[0]! + driveColon
    return encodeURIComponent(segment).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  })
  return `file://${host}${segments.join('/')}`
}
