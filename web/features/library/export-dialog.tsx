import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import { jobFormats } from '../../../domain/export-formats.ts'
import type { ExportFormat } from '../../../domain/export-formats.ts'
import { counted } from '../../app/format.ts'
import { saveFile } from '../../app/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'

const maxItems = 500

/** The findings of every selected clip in one format, as a zip. */
export function ExportDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('fcpxml')
  const make = useMutation({
    mutationFn: () =>
      saveFile(endpoints.exportManyContent, {
        name: `CutIndex ${format}.zip`,
        body: { content_ids: ids.slice(0, maxItems), format },
        failure: { title: 'Not exported' },
      }),
    onSuccess: (saved) => saved && onClose(),
  })
  return (
    <Dialog
      onClose={onClose}
      title={`Export ${counted(Math.min(ids.length, maxItems), 'clip')}`}
      description="One file for each analysed clip, together in a zip. Every export is verified frame by frame."
      action={
        <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
          Export
        </Button>
      }
    >
      <Select
        label="Format"
        value={format}
        options={jobFormats.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => setFormat(event.target.value as ExportFormat)}
        hint={ids.length > maxItems ? `The first ${maxItems} of ${ids.length} clips.` : undefined}
      />
    </Dialog>
  )
}
