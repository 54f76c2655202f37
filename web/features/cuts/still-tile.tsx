import type { CutSource } from '../../../contract/footage/cuts.ts'
import { classes } from '../../ui/classes.ts'

/** A still of a source near a frame: a tile of its sprite, its poster, or a plain tile. */
export function StillTile({
  source,
  frame,
  className,
  onClick,
}: {
  source: CutSource | undefined
  frame: number
  className: string
  onClick?: () => void
}) {
  const shape = classes('block overflow-hidden rounded-sm bg-surround', className)
  const picture = source && <Picture source={source} frame={frame} />
  if (!onClick) return <span className={shape}>{picture}</span>
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Go to the start of the clip"
      onClick={onClick}
      className={shape}
    >
      {picture}
    </button>
  )
}

function Picture({ source, frame }: { source: CutSource; frame: number }) {
  const { sprite, poster_url: poster } = source.pictures
  const tile = sprite && tileAt(sprite, frame)
  if (sprite && tile) {
    return (
      <svg
        aria-hidden
        viewBox={`${tile.x} ${tile.y} ${sprite.tile_width} ${sprite.tile_height}`}
        className="size-full"
      >
        <image href={tile.url} width={sprite.columns * sprite.tile_width} />
      </svg>
    )
  }
  if (!poster) return null
  return <img src={poster} alt="" loading="lazy" className="size-full object-contain" />
}

export function tileAt(
  sprite: NonNullable<CutSource['pictures']['sprite']>,
  frame: number,
): { url: string; sheet: number; x: number; y: number } | null {
  const wanted = Math.round((frame - sprite.start_frame) / sprite.interval_frames)
  const index = Math.min(sprite.count - 1, Math.max(0, wanted))
  const perSheet = sprite.columns * sprite.rows
  const sheet = Math.floor(index / perSheet)
  const url = sprite.urls[sheet]
  if (!url) return null
  const at = index % perSheet
  return {
    url,
    sheet,
    x: (at % sprite.columns) * sprite.tile_width,
    y: Math.floor(at / sprite.columns) * sprite.tile_height,
  }
}
