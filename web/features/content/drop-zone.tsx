import { Upload } from 'lucide-react'
import { useState } from 'react'
import { classes } from '../../ui/classes.ts'

/** Where files are dropped; a click browses for them. */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
      className={classes(
        'flex cursor-pointer flex-col items-center gap-1 rounded-lg border border-dashed px-6 py-8 text-center',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand hover:bg-hover',
        isOver ? 'border-brand bg-brand-wash' : 'border-line-strong',
      )}
    >
      <Upload size={20} aria-hidden className="text-ink-3" />
      <span className="font-medium">Drop files here or browse</span>
      <input
        type="file"
        multiple
        className="sr-only"
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
    </label>
  )
}
