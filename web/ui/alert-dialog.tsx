import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { Button } from './button.tsx'
import { overlayClass, popupClass } from './dialog.tsx'

/** Asks before anything that cannot be undone, or that costs. */
export function AlertDialog({
  open = true,
  onClose,
  title,
  question,
  note,
  confirmLabel,
  dismissLabel = 'Cancel',
  isDestructive = true,
  busy = false,
  onConfirm,
}: {
  open?: boolean
  onClose: () => void
  title: string
  question: string
  note?: string
  confirmLabel: string
  /** The way out, where "Cancel" would read as the deed itself. */
  dismissLabel?: string
  isDestructive?: boolean
  busy?: boolean
  onConfirm: () => void
}) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={overlayClass} />
        <Base.Popup className={popupClass('narrow')}>
          <div className="px-5 pt-4 pb-5">
            <Base.Title className="text-md font-semibold">{title}</Base.Title>
            <Base.Description className="mt-1 text-ink-2">{question}</Base.Description>
            {note && <p className="mt-2 text-ink-2">{note}</p>}
          </div>
          <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
            <Button onClick={onClose}>{dismissLabel}</Button>
            <Button look={isDestructive ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </footer>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
