import { useEffect, useRef, useState } from 'react'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { belongsTo, isApart, isInPopup, keepsKeys } from './key-owner.ts'
import { Kbd } from './kbd.tsx'
import { characterOf, isAltHeld, isControlHeld, namesOf } from './key-name.ts'
import { readLocal, writeLocal } from '../dom/browser-storage.ts'

const offKey = 'shortcuts-off'

export interface Shortcut {
  keys: readonly string[]
  label: string
  run: () => void
}

/**
 * Single keys work unless a person types into a field or has switched them off. A button that the
 * keyboard came to keeps Space for itself, and a tab its arrows; after a click they play and step.
 * Nothing acts behind a dialog, wherever the focus is.
 */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const isByPointer = useRef(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || isDialogOpen()) return
      if (isAltHeld(event) && event.key.length === 1) return
      if (isOff() && event.key.length === 1 && !isControlHeld(event)) return
      const target = event.target as HTMLElement
      if (isApart(target, event.key)) return
      if (belongsTo(target, event.key)) return
      const names = namesOf(event)
      const name = names.find((item) => shortcuts.some(({ keys }) => keys.includes(item)))
      const shortcut = shortcuts.find(({ keys }) => name !== undefined && keys.includes(name))
      if (!shortcut) return
      event.preventDefault()
      shortcut.run()
    }
    /** Before the button or the tab has seen the key. */
    const takeFirst = (event: KeyboardEvent): void => {
      if (event.key === 'Tab') isByPointer.current = false
      const target = event.target as HTMLElement
      if (!isByPointer.current || !belongsTo(target, event.key)) return
      if (isInPopup(target) || keepsKeys(target) || isDialogOpen()) return
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
  }, [shortcuts])
}

/** True where a single key is pressed alone on what has the focus, and single keys are not off. */
export function isSingleKey(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  key: string,
): boolean {
  const isHeld = event.ctrlKey || event.metaKey || event.altKey
  return !isHeld && characterOf(event) === key && !isOff()
}

function isOff(): boolean {
  return readLocal(offKey) === '1'
}

/** Focus can be lost to the page while a dialog works. */
function isDialogOpen(): boolean {
  return document.querySelector('[role$=dialog][data-open]') !== null
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
  'Ctrl+Enter': 'Ctrl Enter',
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
  const [areOff, setOff] = useState(isOff)
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts" width="wide" isForReading>
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
        checked={!areOff}
        onChange={(event) => {
          const off = !event.target.checked
          writeLocal(offKey, off ? '1' : '0')
          setOff(off)
        }}
      />
    </Dialog>
  )
}
