/** The keys of the sources: from the field and from the list of hits, and nowhere else. */
export type SourceKey = 'next' | 'previous' | 'add' | 'addAtEnd' | 'preview' | 'leave'

export interface Pressed {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  /** An input method takes the keys to make a character of them. */
  isComposing?: boolean
}

export function sourceKey(
  { key, shiftKey, ctrlKey, metaKey, altKey, isComposing }: Pressed,
  from: 'field' | 'hit' | null,
): SourceKey | null {
  if (from === null || ctrlKey || metaKey || altKey || isComposing) return null
  const add = shiftKey ? 'addAtEnd' : 'add'
  if (key === 'ArrowDown') return 'next'
  if (key === 'ArrowUp') return 'previous'
  if (key === 'Enter') return add
  if (key === 'Escape') return 'leave'
  if (from === 'field') return null
  if (key === ' ') return 'preview'
  return key.toLowerCase() === 'a' ? add : null
}
