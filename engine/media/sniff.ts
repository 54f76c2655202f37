/**
 * Tells what a file is by its first bytes, before any media tool sees it. The name is never asked:
 * a playlist called clip.mp4 is a playlist, and a playlist makes ffmpeg open other files.
 */
import { open } from 'node:fs/promises'
import { encodingOf, judgedBytes } from '../documents/encoding.ts'

export type Sniffed =
  | { kind: 'media' }
  | { kind: 'image' }
  | { kind: 'document'; format: 'pdf' | 'zip' | 'text' }
  | { kind: 'playlist' }
  | { kind: 'unknown' }

const playlists: readonly RegExp[] = [
  /^#EXTM3U/i,
  /^ffconcat\s+version/i,
  // One name to the end of the line: “File Name: interview.mp3” begins a transcript.
  /^(?:#[^\n]*\n\s*)*file[ \t]+(?:'[^\n]*'|"[^\n]*"|(?:\\.|[^\s\\])+)[ \t]*\r?(?:\n|$)/,
  /^\[playlist\]/i,
  /^\[reference\]/i,
  /^v=0\r?\n(?:[a-z]=[^\n]*\r?\n)*?o=/i,
  /^#!RMMS|^rtsp:\/\/|^mms:\/\//i,
  /^#EXT-X-/,
  // Behind the declaration and comments; a text may well quote such an element.
  /^(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<![a-z][^>]*>\s*)*<(?:[\w-]+:)?(?:MPD|SmoothStreamingMedia|CompositionPlaylist|asx|smil)[\s>]/i,
]
/** Anywhere in bytes that are no text: a demuxer may look for them behind whatever comes first. */
const hiddenPlaylists: readonly RegExp[] = [
  /<(?:MPD|SmoothStreamingMedia|CompositionPlaylist|asx|smil)[\s>]/i,
  /\n#EXT-X-(?:STREAM-INF|TARGETDURATION|MEDIA-SEQUENCE)/,
]

export async function sniffFile(file: string): Promise<Sniffed> {
  await using handle = await open(file)
  const bytes = Buffer.alloc(judgedBytes)
  const { bytesRead } = await handle.read(bytes, 0, judgedBytes, 0)
  return sniff(bytes.subarray(0, bytesRead))
}

function sniff(head: Buffer): Sniffed {
  const text = head.toString('latin1')
  const words = text.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '').trimStart()
  if (playlists.some((pattern) => pattern.test(words))) return { kind: 'playlist' }
  if (words.startsWith('%PDF-')) return { kind: 'document', format: 'pdf' }
  if (text.startsWith('PK\x03\x04')) return { kind: 'document', format: 'zip' }
  // Rich text is all letters, but its codes are not for reading.
  if (text.startsWith('{\\rtf')) return { kind: 'unknown' }
  // A sentence may begin like a medium (“The free …”), and no medium is all letters.
  if (encodingOf(head) !== null) return { kind: 'document', format: 'text' }
  if (hiddenPlaylists.some((pattern) => pattern.test(text))) return { kind: 'playlist' }
  if (isImage(head, text)) return { kind: 'image' }
  if (isMedia(head, text)) return { kind: 'media' }
  return { kind: 'unknown' }
}

function isImage(head: Buffer, text: string): boolean {
  if (text.startsWith('\x89PNG\r\n\x1a\n') || text.startsWith('\xff\xd8\xff')) return true
  if (/^GIF8[79]a/.test(text)) return true
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return true
  if (text.startsWith('BM') && head.length > 26 && head.readUInt32LE(6) === 0) return true
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return true
  if (text.startsWith('8BPS') || text.startsWith('\x76\x2f\x31\x01')) return true
  if (text.startsWith('SDPX') || text.startsWith('XPDS')) return true
  if (text.startsWith('\xff\x0a') || text.startsWith('\0\0\0\x0cJXL ')) return true
  if (text.startsWith('\0\0\0\x0cjP  ')) return true
  return /^....ftyp(?:heic|heix|heim|heis|mif1|msf1|avif|avis)/s.test(text)
}

function isMedia(head: Buffer, text: string): boolean {
  if (/^....(?:ftyp|moov|mdat|wide|free|skip|pnot|styp|sidx)/s.test(text)) return true
  if (text.startsWith('\x1a\x45\xdf\xa3')) return true
  if (
    /^(?:RIFF|RF64|FORM|OggS|fLaC|ID3|FLV|caff|MAC |wvpk|TTA1|\.RMF|#!AMR|DKIF|\.snd)/.test(text)
  ) {
    return true
  }
  if (text.startsWith('\x30\x26\xb2\x75') || text.startsWith('\x06\x0e\x2b\x34')) return true
  if (['\0\0\x01\xba', '\0\0\x01\xb3', '\x0b\x77'].some((magic) => text.startsWith(magic))) {
    return true
  }
  const period = [188, 192, 204].find((size) =>
    [0, 4].some(
      (first) =>
        head.length > first + 3 * size &&
        [0, 1, 2, 3].every((packet) => head[first + packet * size] === 0x47),
    ),
  )
  return period !== undefined
}
