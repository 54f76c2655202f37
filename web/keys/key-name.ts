/** How a press of a key is named in lists of shortcuts, whatever the layout of the keyboard. */

export interface PressedKey {
  key: string
  /** The place of the key, named by a US keyboard. */
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  getModifierState?: (name: 'AltGraph') => boolean
}

/** Keys that are bound for their place beside each other, and what a US keyboard prints on them. */
const placed: Record<string, string> = { Comma: ',', Period: '.', Backslash: '\\' }

/** True where AltGr, which Windows reports as Ctrl with Alt, only made the character. */
function isAltGraph(event: PressedKey): boolean {
  return event.key.length === 1 && event.getModifierState?.('AltGraph') === true
}

/** Ctrl or Command is held for a shortcut. */
export function isControlHeld(event: PressedKey): boolean {
  return (event.ctrlKey || event.metaKey) && !isAltGraph(event)
}

export function isAltHeld(event: PressedKey): boolean {
  return event.altKey && !isAltGraph(event)
}

/** The character; without Latin letters or digits, the one that a US keyboard has there. */
export function characterOf({ key, code }: Pick<PressedKey, 'key' | 'code'>): string {
  if (key.length !== 1) return key
  const there = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1]
  const isForeign = /[^\0-\x7f]/.test(key) && /[\p{L}\p{Nd}]/u.test(key)
  // A letter on the row of digits belongs to a Latin layout: é of a French keyboard.
  const isAlike = code.startsWith('Key') || /\p{Nd}/u.test(key)
  return (there && isForeign && isAlike ? there : key).toLowerCase()
}

/** Every name that a list may have for this press; the best comes first. */
export function namesOf(event: PressedKey): string[] {
  const character = characterOf(event)
  const own = placed[event.code]
  const held = `${isControlHeld(event) ? 'Ctrl+' : ''}${isAltHeld(event) ? 'Alt+' : ''}`
  const withShift = `${held}${event.shiftKey ? 'Shift+' : ''}`
  // A letter with Shift is a key of its own only where one is bound to it.
  const plain = character.length === 1 && !isControlHeld(event) ? [`${held}${character}`] : []
  // A comma or full stop that needs Shift on another key is pressed without it, as it were.
  const isMadeByShift = Object.values(placed).includes(character) && character !== own
  return [
    ...(isMadeByShift ? [] : [`${withShift}${character}`]),
    ...plain,
    ...(own && own !== character ? [`${withShift}${own}`] : []),
  ]
}
