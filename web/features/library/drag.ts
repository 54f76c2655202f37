/** Clips and bins that are dragged inside the page carry their ids; files from outside do not. */
import type { DragEvent } from 'react'

const clips = 'application/x-cutindex-clips'
const bin = 'application/x-cutindex-bin'

export function dragClips(event: DragEvent, ids: readonly string[]): void {
  drag(event, clips, JSON.stringify(ids), ids.length === 1 ? '1 clip' : `${ids.length} clips`)
}

export function dragBin(event: DragEvent, { id, name }: { id: string; name: string }): void {
  drag(event, bin, id, name)
}

function drag(event: DragEvent, type: string, data: string, label: string): void {
  event.dataTransfer.effectAllowed = 'move'
  event.dataTransfer.setData(type, data)
  const chip = document.createElement('div')
  chip.textContent = label
  chip.className =
    'fixed -top-20 left-0 rounded-md bg-brand px-2 py-1 text-sm font-medium text-on-brand'
  document.body.append(chip)
  event.dataTransfer.setDragImage(chip, -8, -8)
  setTimeout(() => chip.remove())
}

/** Dragged clips, whose ids can be read only once they are dropped; null for anything else. */
export function draggedClips(event: DragEvent): string[] | null {
  const text = read(event, clips)
  return text ? (JSON.parse(text) as string[]) : text === null ? null : []
}

/** The id of a dragged bin, once it is dropped; null for anything else. */
export function draggedBin(event: DragEvent): string | null {
  return read(event, bin)
}

function read(event: DragEvent, type: string): string | null {
  return event.dataTransfer.types.includes(type) ? event.dataTransfer.getData(type) : null
}
