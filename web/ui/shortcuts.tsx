import { useEffect, useRef, useState } from 'react'
import { Checkbox } from './checkbox.tsx'
import { Dialog } from './dialog.tsx'
import { belongsTo, isApart, isInPopup, keepsKeys } from './key-owner.ts'
import { Kbd } from './kbd.tsx'

const offKey = 'shortcuts-off'

export interface Shortcut {
  keys: readonly string[]
  label: string
  run: () => void
}

/**
 * Single keys work unless a person types into a field or has switched them off. A button that the
 * keyboard came to keeps Space for itself, and a tab its arrows; after a click they play and step.
 * Where `only` is given, the others rest.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], only?: string): void {
  const isByPointer = useRef(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey && event.key.length === 1) return
      const isHeld = event.ctrlKey || event.metaKey
      if (localStorage.getItem(offKey) === '1' && event.key.length === 1 && !isHeld) return
      const target = event.target as HTMLElement
      if (isApart(target, event.key)) return
      if (belongsTo(target, event.key)) return
      const name = nameOf(event, event.key.length > 1 || isHeld)
      // A letter with Shift is a key of its own only where one is bound to it.
      const found =
        shortcuts.find((item) => item.keys.includes(nameOf(event, true))) ??
        shortcuts.find((item) => item.keys.includes(name))
      if (!found || (only && name !== only)) return
      event.preventDefault()
      found.run()
    }
    /** Before the button or the tab has seen the key. */
    const takeFirst = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') isByPointer.current = false
      const target = event.target as HTMLElement
      if (!isByPointer.current || !belongsTo(target, event.key)) return
      if (isInPopup(target) || keepsKeys(target)) return
      event.stopPropagation()
      event.preventDefault()
      target.blur()
      document.body.dispatchEvent(new KeyboardEvent('keydown', event))
    }
    const onPointer = (): void => {
      isByPointer.current = true
    }
    addEventListener('keydown', onKey)
    addEventListener('keydown', takeFirst, true)
    addEventListener('pointerdown', onPointer)
    return () => {
      removeEventListener('keydown', onKey)
      removeEventListener('keydown', takeFirst, true)
      removeEventListener('pointerdown', onPointer)
    }
  }, [shortcuts, only])
}

/** True where a single key is pressed alone on what has the focus, and single keys are not off. */
export function isSingleKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  key: string,
): boolean {
  const isHeld = event.ctrlKey || event.metaKey || event.altKey
  return !isHeld && event.key.toLowerCase() === key && localStorage.getItem(offKey) !== '1'
}

function nameOf(event: KeyboardEvent, withShift: boolean): string {
  const isHeld = event.ctrlKey || event.metaKey
  const held = [
    ...(isHeld ? ['Ctrl+'] : []),
    ...(event.altKey ? ['Alt+'] : []),
    ...(event.shiftKey && withShift ? ['Shift+'] : []),
  ]
  return `${held.join('')}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`
}

const shown: Record<string, string> = {
  ' ': 'Space',
  Home: 'Home',
  End: 'End',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  'Shift+ArrowUp': 'Shift ↑',
  'Shift+ArrowDown': 'Shift ↓',
  'Shift+ArrowLeft': 'Shift ←',
  'Shift+ArrowRight': 'Shift →',
  'Ctrl+z': 'Ctrl Z',
  'Ctrl+Shift+z': 'Ctrl Shift Z',
  Enter: 'Enter',
  'Shift+a': 'Shift A',
  'Alt+ArrowUp': 'Alt ↑',
  'Alt+ArrowDown': 'Alt ↓',
  'Ctrl+ArrowLeft': 'Ctrl ←',
  'Ctrl+ArrowRight': 'Ctrl →',
  'Ctrl+Shift+ArrowLeft': 'Ctrl Shift ←',
  'Ctrl+Shift+ArrowRight': 'Ctrl Shift →',
  Backspace: '⌫',
  'Shift+Backspace': 'Shift ⌫',
  'Alt+Backspace': 'Alt ⌫',
}

export function ShortcutsDialog({
  shortcuts,
  onClose,
}: {
  shortcuts: readonly Shortcut[]
  onClose: () => void
}) {
  const [isOff, setOff] = useState(() => localStorage.getItem(offKey) === '1')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Keyboard shortcuts"
      width="wide"
      isForReading
    >
      <dl className="gap-x-10 sm:columns-2">
        {shortcuts.map((item) => (
          <div key={item.label} className="flex h-7 break-inside-avoid items-center">
            <dt className="grow text-ink-2">{item.label}</dt>
            <dd className="flex gap-1">
              {item.keys.map((key) => (
                <Kbd key={key}>{shown[key] ?? key.toUpperCase()}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox
        className="mt-4"
        label="Single-key shortcuts"
        checked={!isOff}
        onChange={(event) => {
          const off = !event.target.checked
          localStorage.setItem(offKey, off ? '1' : '0')
          setOff(off)
        }}
      />
    </Dialog>
  )
}
