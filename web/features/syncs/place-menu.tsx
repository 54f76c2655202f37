import type { SyncItem } from '../../../contract/syncs.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { offsetText, secondsOf } from './sync-clock.ts'

/** Where an item that matches nowhere can be put. */
export function PlaceMenu({
  item,
  at,
  rate,
  onPlace,
  onLeaveOut,
}: {
  item: SyncItem
  /** Second of the clock at the playhead. */
  at: number
  rate: number
  onPlace: (offset: number) => void
  onLeaveOut: () => void
}) {
  const guess = secondsOf(item.found_offset)
  const timecode = secondsOf(item.timecode_offset)
  return (
    <Menu
      trigger={
        <Button id={placeButtonId(item)} aria-label={`Place ${item.name}`}>
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
      <MenuItem onSelect={onLeaveOut}>Leave it out</MenuItem>
    </Menu>
  )
}

function placeButtonId(item: SyncItem): string {
  return `place-${item.content_id}`
}

/** The key that is printed on the button presses it. */
export function pressPlace(item: SyncItem): void {
  document.querySelector<HTMLElement>(`#${placeButtonId(item)}`)?.click()
}
