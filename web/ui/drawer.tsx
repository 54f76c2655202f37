import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { overlayClass } from './dialog.tsx'

/** Holds on a narrow window, behind a button, the sidebar of a wide one. */
export function Drawer({
  title,
  open,
  onClose,
  children,
}: {
  title: string
  open: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlayClass} />
        <Base.Popup className="fixed inset-y-0 left-0 z-40 flex w-75 max-w-[calc(100vw-48px)] flex-col overflow-y-auto border-r border-line bg-panel text-ink shadow-float transition duration-180 ease-out outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
