import type { SyncItem } from '../../../contract/syncs.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { offsetText, secondsOf } from './sync-data.ts'

/** Where an item that matches nowhere can be put. */
export function PlaceMenu({
  item,
  at,
  rate,
  onPlace,
}: {
  item: SyncItem
  /** Second of the clock at the playhead. */
  at: number
  rate: number
  onPlace: (offset: number) => void
}) {
  const guess = secondsOf(item.found_offset)
  const timecode = secondsOf(item.timecode_offset)
  return (
    <Menu
      trigger={
        <Button aria-label={`Place ${item.name}`}>
          Place… <Kbd>P</Kbd>
        </Button>
      }
    >
      <MenuItem onSelect={() => onPlace(at)}>At the playhead, {offsetText(at, rate)}</MenuItem>
      {guess !== null && (
        <MenuItem onSelect={() => onPlace(guess)}>
          At the best guess, {offsetText(guess, rate)}
        </MenuItem>
      )}
      {timecode !== null && (
        <MenuItem onSelect={() => onPlace(timecode)}>
          By its timecode, {offsetText(timecode, rate)}
        </MenuItem>
      )}
    </Menu>
  )
}
