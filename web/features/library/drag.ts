/** Clips that are dragged inside the page carry their ids; files from outside do not. */
import type { DragEvent } from 'react'

const type = 'application/x-cutindex-clips'

export function dragClips(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData(type, JSON.stringify(ids))
  const chip = document.createElement('div')
  chip.textContent = ids.length === 1 ? '1 clip' : `${ids.length} clips`
  chip.className =
    'fixed -top-20 left-0 rounded-md bg-brand px-2 py-1 text-sm font-medium text-on-brand'
  document.body.append(chip)
  event.dataTransfer.setDragImage(chip, -8, -8)
  setTimeout(() => chip.remove())
}

/** Ids of the dragged clips; null if something else is dragged. They can be read only on drop. */
export function clipsDragged(event: DragEvent): string[] | null {
  if (!event.dataTransfer.types.includes(type)) return null
  const text = event.dataTransfer.getData(type)
  return text ? (JSON.parse(text) as string[]) : []
}
