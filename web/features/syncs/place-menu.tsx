import type { SyncItem } from '../../../contract/footage/syncs.ts'
import { Button } from '../../ui/button.tsx'
import { Kbd } from '../../keys/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

/** Where an item that matches nowhere can be put. */
export function PlaceMenu({
  item,
  places,
  onPlace,
  onLeaveOut,
}: {
  item: SyncItem
  places: readonly { label: string; offset: number }[]
  onPlace: (offset: number) => void
  onLeaveOut: () => void
}) {
  return (
    <Menu
      trigger={
        <Button id={placeButtonId(item)} aria-label={`Place ${item.name}`}>
          Place… <Kbd>P</Kbd>
        </Button>
      }
    >
      {places.map(({ label, offset }) => (
        <MenuItem key={label} onSelect={() => onPlace(offset)}>
          {label}
        </MenuItem>
      ))}
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
