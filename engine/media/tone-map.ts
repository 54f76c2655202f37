/**
 * Shows HDR (PQ or HLG) on the screens that stills and proxies are watched on. Reference white (203
 * cd/m², ITU-R BT.2408) stays light, highlights above it are rolled off instead of clipped, and
 * colours are brought from BT.2020 to BT.709.
 */
const hdrTransfers = new Set(['smpte2084', 'arib-std-b67'])
const referenceWhite = 203
/** The peak to which most HDR is graded; brighter highlights are clipped. */
const peakLuminance = 1000

export function isHdr(transfer: string | null | undefined): boolean {
  return hdrTransfers.has(transfer ?? '')
}

/**
 * Filters that follow a `scale`, so that they work on few pixels; empty if no mapping is needed.
 * The file's other labels are often missing, and HDR in another matrix is not delivered.
 */
export function toneMap(transfer: string | null | undefined): string[] {
  if (!transfer || !isHdr(transfer)) return []
  const labels = `tin=${transfer}:pin=bt2020:min=bt2020nc:rin=tv`
  return [
    'scale=in_color_matrix=bt2020:out_color_matrix=bt2020:out_range=tv',
    'format=yuv444p10le',
    `zscale=${labels}:t=linear:npl=${referenceWhite}`,
    'format=gbrpf32le',
    'zscale=p=bt709',
    `tonemap=tonemap=mobius:desat=0:peak=${(peakLuminance / referenceWhite).toFixed(2)}`,
    'zscale=t=bt709:m=bt709:r=tv',
  ]
}
