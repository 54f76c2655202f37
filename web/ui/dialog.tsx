import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'

type Width = 'narrow' | 'wide' | 'widest'

const widths: Record<Width, string> = {
  narrow: 'max-w-105',
  wide: 'max-w-200',
  widest:
    'max-w-253 max-sm:top-auto max-sm:bottom-0 max-sm:left-0 max-sm:w-full max-sm:translate-0 max-sm:rounded-b-none',
}

export interface DialogProps {
  open?: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** `widest` rises from the lower edge of a phone. */
  width?: Width
  /** Opens on the dialog itself, where its first control is nothing to press by accident. */
  isForReading?: boolean
  /** The button that the dialog is for; Cancel stands beside it. */
  action?: ReactNode
  /** By Ctrl or Cmd with Enter, wherever the focus is inside. */
  onCtrlEnter?: () => void
  /** More at the lower edge, before those two. */
  footer?: ReactNode
  children?: ReactNode
}

export const overlayClass =
  'fixed inset-0 z-40 bg-[oklch(0%_0_0/55%)] transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0'

export function popupClass(width: Width): string {
  return classes(
    'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-1/2',
    'flex-col rounded-lg border border-line bg-panel text-ink shadow-float outline-none',
    'transition duration-180 ease-out data-ending-style:scale-98 data-ending-style:opacity-0',
    'data-starting-style:scale-98 data-starting-style:opacity-0',
    widths[width],
  )
}

export function Dialog({
  open = true,
  onClose,
  title,
  description,
  width = 'narrow',
  isForReading = false,
  action,
  onCtrlEnter,
  footer,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlayClass} />
        <Base.Popup
          ref={popup}
          initialFocus={isForReading ? popup : undefined}
          className={popupClass(width)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return
            if (onCtrlEnter) event.preventDefault()
            onCtrlEnter?.()
          }}
        >
          <header className="border-b border-line py-4 pr-14 pl-5">
            <div>
              <Base.Title className="text-md font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-sm text-ink-2">
                  {description}
                </Base.Description>
              )}
            </div>
          </header>
          <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
          {(footer || action) && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
              {action && <Button onClick={onClose}>Cancel</Button>}
              {action}
            </footer>
          )}
          {/* Last in order, so that the dialog opens on its first control and not on this one. */}
          <Base.Close
            aria-label="Close"
            className="absolute top-3 right-3 rounded-md p-2 text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:p-3"
          >
            <X size={16} aria-hidden />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
