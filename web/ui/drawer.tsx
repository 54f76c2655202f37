import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { overlayClass } from './dialog.tsx'

const sides = {
  left: 'left-0 w-75 border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
  right:
    'right-0 w-100 border-l data-ending-style:translate-x-full data-starting-style:translate-x-full',
}

/** Slides in from an edge: a narrow window's sidebar from the left, what is on from the right. */
export function Drawer({
  title,
  open,
  onClose,
  side = 'left',
  children,
}: {
  title: string
  open: boolean
  onClose: () => void
  side?: keyof typeof sides
  children: ReactNode
}) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlayClass} />
        <Base.Popup
          className={`fixed inset-y-0 z-40 flex max-w-[calc(100vw-48px)] flex-col overflow-y-auto border-line bg-panel text-ink shadow-float transition duration-180 ease-out outline-none ${sides[side]}`}
        >
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
