import { Badge } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { Kbd } from '../../keys/kbd.tsx'
import { useShownSync } from './sync-context.ts'
import { Waveform } from './wave-path.tsx'

/** From here on the tiles stand in two columns. */
const manyTracks = 8

/** A tile for each angle; a press shows it. */
export function SyncAngles() {
  const { placing, item: chosen, choose } = useShownSync()
  const { items } = placing.sync
  return (
    <ol
      aria-label="Angles"
      className={classes(
        'flex min-h-0 min-w-0 gap-2 overflow-auto p-2 md:grid md:content-start',
        items.length > manyTracks ? 'md:grid-cols-[10rem_10rem]' : 'md:grid-cols-[10rem]',
      )}
    >
      {items.map((angle, index) => (
        <li key={angle.content_id} className="shrink-0">
          <button
            type="button"
            aria-label={`Angle ${index + 1}: ${angle.name}`}
            aria-pressed={angle === chosen}
            onClick={() => choose(angle.content_id)}
            className={classes(
              'relative grid aspect-video w-40 place-items-center overflow-hidden rounded-sm border-2 bg-panel text-xs',
              angle === chosen ? 'border-brand' : 'border-line',
            )}
          >
            {angle.pictures.poster_url ? (
              <img src={angle.pictures.poster_url} alt="" className="size-full object-cover" />
            ) : (
              <Waveform item={angle} className="p-2" />
            )}
            <span className="absolute bottom-0 left-0 max-w-full truncate rounded-sm bg-panel/90 px-1">
              {angle.name}
            </span>
            {placing.offsetOf(angle) === null && (
              <span className="absolute top-1 right-1">
                <Badge tone="warn">not in sync</Badge>
              </span>
            )}
            <span className="absolute top-1 left-1">
              <Kbd>{index + 1}</Kbd>
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}
