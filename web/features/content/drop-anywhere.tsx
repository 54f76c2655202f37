import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { showToast } from '../../ui/toast.tsx'
import { droppedFiles } from './dropped-files.ts'

/** Files or folders dragged anywhere onto the screen: shows where they go, and hands them over. */
export function DropAnywhere({
  onFiles,
  place = 'your library',
  placeAt,
}: {
  onFiles: (files: readonly File[], target: Element | null) => void
  /** What they are added to, in words. */
  place?: string
  /** Names a place of its own under the pointer. */
  placeAt?: (target: Element) => string | null
}) {
  const [isOver, setOver] = useState(false)
  const [over, setPlace] = useState<string | null>(null)
  const take = useRef({ onFiles, placeAt })
  useEffect(() => {
    take.current = { onFiles, placeAt }
  })
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // Leaving an inner element for another one is no leaving of the window, so entries are counted.
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const move = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setPlace(take.current.placeAt?.(event.target as Element) ?? null)
    }
    const drop = (event: DragEvent) => {
      depth = 0
      setOver(false)
      // A dialog's own drop area has taken it.
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      const target = event.target as Element | null
      droppedFiles(event.dataTransfer).then(
        (files) => take.current.onFiles(files, target),
        () => showToast({ type: 'error', ...unreadable }),
      )
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', move)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', move)
      removeEventListener('drop', drop)
    }
  }, [])
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-30 grid place-items-center rounded-lg border-2 border-brand bg-[oklch(0%_0_0/55%)]">
      <p className="flex items-center gap-4 rounded-lg border border-line bg-panel px-6 py-4 shadow-float">
        <Upload size={24} aria-hidden className="text-brand-ink" />
        <span>
          <span className="block text-md font-semibold">Drop to add to {over ?? place}</span>
          <span className="text-sm text-ink-2">
            Files or whole folders. What is here already is not added twice.
          </span>
        </span>
      </p>
    </div>
  )
}

const unreadable = {
  title: 'Not uploaded',
  message: 'The folder could not be read. Check that the card is still there and drop it again.',
}
