import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api as endpoints } from '../../../contract/api.ts'
import { addressOf, CallError } from '../../../contract/endpoint.ts'
import { exportFormats } from '../../../contract/export-formats.ts'
import type { ExportFormat } from '../../../contract/export-formats.ts'
import type { ErrorAnswer } from '../../../contract/refusal.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { messageOf } from '../../app/api.ts'
import { counted } from '../../app/figures.ts'
import { currentSession } from '../../app/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'

const names: Record<ExportFormat, string> = {
  edl: 'EDL (Resolve, Avid and others)',
  fcpxml: 'FCPXML (Final Cut, Resolve)',
  xml: 'XML (Premiere)',
  json: 'JSON',
  csv: 'CSV',
  srt: 'Subtitles SRT',
  vtt: 'Subtitles VTT',
  otio: 'OpenTimelineIO',
  'resolve-markers': 'Resolve marker EDL',
  'premiere-markers': 'Marker table',
  ale: 'ALE (Avid)',
  'avid-markers': 'Avid markers',
}

const maxItems = 500

/** The findings of every selected clip in one format, as a zip. */
export function ExportDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('fcpxml')
  const make = useMutation({
    mutationFn: () => download(ids.slice(0, maxItems), format),
    onSuccess: onClose,
    onError: (error) =>
      showToast({
        type: 'error',
        title: 'Not exported',
        message: messageOf(error, 'Please check your connection and try again.'),
      }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Export ${counted(Math.min(ids.length, maxItems), 'clip')}`}
      description="One file for each analysed clip, together in a zip. Every export is verified frame by frame."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={make.isPending} onClick={() => make.mutate()}>
            Export
          </Button>
        </>
      }
    >
      <Select
        label="Format"
        value={format}
        options={exportFormats.map((value) => ({ value, label: names[value] }))}
        onChange={(event) => setFormat(event.target.value as ExportFormat)}
        hint={ids.length > maxItems ? `The first ${maxItems} of ${ids.length} clips.` : undefined}
      />
    </Dialog>
  )
}

async function download(ids: readonly string[], format: ExportFormat): Promise<void> {
  const response = await fetch(addressOf(currentApiAddress(), endpoints.exportManyContent), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${currentSession().token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ content_ids: ids, format }),
  })
  if (!response.ok) {
    const answer = (await response.json().catch(() => ({}))) as Partial<ErrorAnswer>
    throw new CallError(response.status, answer)
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = `CutIndex ${format}.zip`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
