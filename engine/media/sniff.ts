/**
 * What a file is, by its first bytes, before any media tool sees it. The name is never asked: a
 * playlist called clip.mp4 is a playlist, and a playlist makes ffmpeg open other files.
 */
import { open } from 'node:fs/promises'

export type Sniffed =
  | { kind: 'media' }
  | { kind: 'image' }
  | { kind: 'document'; format: 'pdf' | 'zip' | 'text' | 'rtf' | 'office' }
  | { kind: 'playlist' }
  | { kind: 'unknown' }

/** How much of a file is looked at. */
const sniffBytes = 64 * 1024

const playlists: readonly RegExp[] = [
  /^#EXTM3U/i,
  /^ffconcat\s+version/i,
  // One name to the end of the line: “File Name: interview.mp3” begins a transcript.
  /^(?:#[^\n]*\n\s*)*file[ \t]+(?:'[^\n]*'|"[^\n]*"|(?:\\.|[^\s\\])+)[ \t]*\r?(?:\n|$)/,
  /^\[playlist\]/i,
  /^\[reference\]/i,
  /^v=0\r?\n(?:[a-z]=[^\n]*\r?\n)*?o=/i,
  /<MPD[\s>]/,
  /<SmoothStreamingMedia[\s>]/i,
  /<CompositionPlaylist[\s>]/i,
  /<asx[\s>]/i,
  /<smil[\s>]/i,
  /^#!RMMS|^rtsp:\/\/|^mms:\/\//i,
  /^#EXT-X-|\n#EXT-X-(?:STREAM-INF|TARGETDURATION|MEDIA-SEQUENCE)/,
]

export async function sniffFile(file: string): Promise<Sniffed> {
  const handle = await open(file)
  try {
    const bytes = Buffer.alloc(sniffBytes)
    const { bytesRead } = await handle.read(bytes, 0, sniffBytes, 0)
    return sniff(bytes.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

function sniff(head: Buffer): Sniffed {
  const text = head.toString('latin1')
  const words = text.replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '').trimStart()
  if (playlists.some((pattern) => pattern.test(words))) return { kind: 'playlist' }
  if (words.startsWith('%PDF-')) return { kind: 'document', format: 'pdf' }
  if (text.startsWith('PK\x03\x04')) return { kind: 'document', format: 'zip' }
  if (text.startsWith('{\\rtf')) return { kind: 'document', format: 'rtf' }
  // A sentence may begin like a medium (“The free …”), and no medium is all letters.
  if (isText(head)) return { kind: 'document', format: 'text' }
  if (isImage(head, text)) return { kind: 'image' }
  if (isMedia(head, text)) return { kind: 'media' }
  if (head.subarray(0, 8).equals(oleMagic)) return { kind: 'document', format: 'office' }
  return { kind: 'unknown' }
}

const oleMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex')

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

/** UTF-8 (or UTF-16 with its mark) without control characters that no text holds. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false
  if (head[0] === 0xff && head[1] === 0xfe) return true
  if (head[0] === 0xfe && head[1] === 0xff) return true
  for (const byte of head) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13) return false
  }
  // The last character may be cut in the middle, so up to three bytes are left off.
  for (let cut = 0; cut < 4; cut++) {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(head.subarray(0, head.length - cut))
      return true
    } catch {
      if (head.length < sniffBytes) return false
    }
  }
  return false
}
