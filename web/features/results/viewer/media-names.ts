/** Names codecs and containers in the words of an editor, not of the tool that reads them. */

const codecs: Record<string, string> = {
  h264: 'H.264',
  prores: 'ProRes',
  dnxhd: 'DNxHD / DNxHR',
  cfhd: 'CineForm',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4',
  vp8: 'VP8',
  vp9: 'VP9',
  theora: 'Theora',
  opus: 'Opus',
  vorbis: 'Vorbis',
}

export function codecName(codec: string): string {
  const pcm = /^pcm_[suf](\d+)/.exec(codec)
  return pcm ? `PCM ${pcm[1]}-bit` : (codecs[codec] ?? codec.toUpperCase())
}

const containers: Record<string, string> = {
  mov: 'QuickTime / MP4',
  matroska: 'Matroska / WebM',
  mpegts: 'MPEG-TS',
  mpeg: 'MPEG-PS',
  ogg: 'Ogg',
  image2: 'Image',
  asf: 'Windows Media',
}

export function containerName(format: string): string {
  const first = format.split(',')[0] ?? format
  if (first.endsWith('_pipe')) return first.replace(/_pipe$/, '').toUpperCase()
  return containers[first] ?? first.toUpperCase()
}

/** "48 kHz", "22.05 kHz". */
export function sampleRateName(hertz: number): string {
  return `${hertz / 1000} kHz`
}

const colours: Record<string, string> = {
  bt709: 'Rec. 709',
  bt2020: 'Rec. 2020',
  'bt2020-10': 'Rec. 2020, 10-bit',
  'bt2020-12': 'Rec. 2020, 12-bit',
  smpte170m: 'Rec. 601 (525 lines)',
  bt470bg: 'Rec. 601 (625 lines)',
  smpte432: 'Display P3',
  smpte431: 'DCI-P3',
  smpte2084: 'PQ (ST 2084)',
  'arib-std-b67': 'HLG',
  'iec61966-2-1': 'sRGB',
}

/** Names a colour space or the like; null if the file does not say. */
export function colourName(value: string | null): string | null {
  if (!value || value === 'unknown' || value === 'reserved') return null
  return colours[value] ?? value
}
