import { Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { showToast } from '../../ui/toast.tsx'
import { droppedFiles } from './dropped-files.ts'

interface Props {
  onFiles: (files: readonly File[], target: Element | null) => void
  /** Names the place that they are added to. */
  place?: string
  /** Names a place of its own under the pointer. */
  placeAt?: ((target: Element) => string | null) | undefined
}

/** Files or folders dragged anywhere onto the screen: shows where they go, and hands them over. */
export function DropAnywhere({ onFiles, place = 'your library', placeAt }: Props) {
  const { isOver, over } = useDroppedFiles(onFiles, placeAt)
  if (!isOver) return null
  return (
    <div className="pointer-events-none fixed inset-3 z-30 grid place-items-center rounded-lg border-2 border-brand bg-[oklch(0%_0_0/55%)]">
      <p className="flex items-center gap-4 rounded-lg border border-line bg-panel px-6 py-4 shadow-float">
        <Upload size={24} aria-hidden className="text-brand-ink" />
        <span>
          <span className="block text-md font-semibold">Drop to add to {over ?? place}</span>
          <span className="text-sm text-ink-2">
            Files or whole folders. Files that are here already are not added twice.
          </span>
        </span>
      </p>
    </div>
  )
}

function useDroppedFiles(onFiles: Props['onFiles'], placeAt: Props['placeAt']) {
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
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('dragenter', enter, { signal })
    addEventListener('dragleave', leave, { signal })
    addEventListener('dragover', move, { signal })
    addEventListener('drop', drop, { signal })
    return () => listening.abort()
  }, [])
  return { isOver, over }
}

const unreadable = {
  title: 'Not uploaded',
  message: 'The folder could not be read. Check that the card is still there and drop it again.',
}
