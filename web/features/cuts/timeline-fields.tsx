/** The rate and the size of a cut's timeline, where one is made and where it is changed. */
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import type { FrameSize } from '../../../domain/cuts/cut.ts'
import { parseRate, rateLabel, standardRates } from '../../../domain/time/timecode.ts'
import { rateWithUnit } from '../../app/format.ts'
import { Select } from '../../ui/field.tsx'

type Format = Pick<Cut, 'frame_rate' | 'drop_frame'>

export const ofFirstClip = 'Same as the first clip'

const standardSizes: readonly FrameSize[] = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 4096, height: 2160 },
  { width: 2048, height: 1080 },
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
  { width: 1080, height: 1350 },
  { width: 1080, height: 1080 },
]

export function TimelineFields({
  rate,
  rates,
  size,
  sizes,
  hint,
  onRate,
  onSize,
}: {
  /** A name of `rateName`. */
  rate: string
  /** Listed before the standard rates. */
  rates: readonly { value: string; label: string }[]
  /** A name of `sizeText`; empty: of the first clip. */
  size: string
  /** Frame sizes of the clips. */
  sizes: readonly string[]
  hint: string
  onRate: (rate: string) => void
  onSize: (size: string) => void
}) {
  const known = new Set([...sizes, ...standardSizes.map(sizeText)])
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label="Frame rate"
        value={rate}
        onChange={(event) => onRate(event.target.value)}
        options={[
          ...rates,
          ...standardRates.map(({ label }) => ({ value: label, label: rateWithUnit(label) })),
        ]}
      />
      <Select
        label="Size"
        value={size}
        onChange={(event) => onSize(event.target.value)}
        options={[
          { value: '', label: ofFirstClip },
          ...[...known].map((text) => ({ value: text, label: text })),
        ]}
      />
      <p className="text-xs text-ink-3 sm:col-span-2">{hint}</p>
    </div>
  )
}

/** "25", "29.97 DF": as an editing system lists it. */
export function rateName(format: Format): string {
  const rate = parseRate(format.frame_rate)
  if (!rate) return format.frame_rate
  const known = standardRates.find(({ rate: text, dropFrame }) => {
    const standard = parseRate(text)
    const isSame = standard && standard.num * rate.den === rate.num * standard.den
    return isSame && dropFrame === format.drop_frame
  })
  return known?.label ?? rateLabel(rate)
}

/** "25 fps", "29.97 DF": as a sentence names it. */
export function rateText(format: Format): string {
  return rateWithUnit(rateName(format))
}

/** The rate of a name; nothing where it is none of the standard ones. */
export function rateNamed(name: string): Format | Record<string, never> {
  const known = standardRates.find(({ label }) => label === name)
  return known ? { frame_rate: known.rate, drop_frame: known.dropFrame } : {}
}

export function sizeText({ width, height }: FrameSize): string {
  return `${width} × ${height}`
}

export function sizeNamed(text: string): FrameSize | null {
  const [width, height] = text.split(' × ').map(Number)
  return width && height ? { width, height } : null
}

/** "25 fps", "29.97 DF", "variable frame rate": how a clip runs. */
export function clipRate({ media }: Pick<CutSource, 'media'>): string {
  if (media.variable_frame_rate) return 'variable frame rate'
  const { frame_rate: rate, drop_frame: dropFrame } = media
  return rateText({ frame_rate: rate ?? '25', drop_frame: dropFrame })
}

/** Whether a clip's frames are not those of the cut. */
export function isConformed(
  { media }: Pick<CutSource, 'media'>,
  cut: Pick<Cut, 'frame_rate'>,
): boolean {
  if (media.variable_frame_rate) return true
  const [rate, own] = [parseRate(media.frame_rate ?? ''), parseRate(cut.frame_rate)]
  return rate !== null && own !== null && rate.num * own.den !== own.num * rate.den
}
