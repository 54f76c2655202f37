import { FolderUp, Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { droppedFiles, withoutLitter } from './dropped-files.ts'

/** Where files and folders are dropped; a click browses for them. */
export function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  const area = (
    <label
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void droppedFiles(event.dataTransfer).then(onFiles)
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
  return (
    <div className="flex flex-col gap-2">
      {area}
      <Button look="quiet" className="self-center" onClick={() => chooseFolder(onFiles)}>
        <FolderUp size={14} aria-hidden /> Choose a folder
      </Button>
    </div>
  )
}

/** By a field that is not in the page: there is one for files already. */
function chooseFolder(onFiles: (files: readonly File[]) => void): void {
  const field = document.createElement('input')
  field.type = 'file'
  field.webkitdirectory = true
  field.addEventListener('change', () => onFiles(withoutLitter(field.files)))
  field.click()
}
