import { Download } from 'lucide-react'
import { useState } from 'react'
import { jobFormats } from '../../../../domain/export-formats.ts'
import type { ExportFormat } from '../../../../domain/export-formats.ts'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { parseRate, rateLabel, standardRates } from '../../../../domain/time/timecode.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select, TextField } from '../../../ui/field.tsx'
import { downloadExport } from './download-export.ts'
import { MediaFolderField, useMediaFolder } from './media-folder.tsx'
import type { ProjectFolder } from './media-folder.tsx'

/** Every format; frame rate, drop frame and start timecode are preset from the source. */
export function ExportDialog({
  jobId,
  findings,
  hasSelects,
  hasComments,
  project,
  beforeExport,
  onClose,
}: {
  jobId: string
  findings: Partial<Findings>
  project: ProjectFolder | null
  hasSelects: boolean
  hasComments: boolean
  /** Exports are made from what the server knows. */
  beforeExport: () => Promise<boolean>
  onClose: () => void
}) {
  const [format, setFormat] = useState<ExportFormat>('edl')
  const [choice, setChoice] = useState<Choice>({
    // As the quick buttons do it: once there are selects, they are what is wanted.
    which: hasSelects ? 'selects' : '',
    rate: '',
    start: '',
    names: '',
    hasComments,
    isEnglish: false,
  })
  const set = (change: Partial<Choice>) => setChoice({ ...choice, ...change })
  const [busy, setBusy] = useState(false)
  const folder = useMediaFolder(project)
  const isSubtitle = (id: ExportFormat) => id === 'srt' || id === 'vtt'
  const { timed: isTimed, linked: isLinked } = jobFormats.find((item) => item.id === format)!
  const { translation, language, words = [] } = findings.transcription ?? {}
  const isTranslatable = translation && isSubtitle(format)
  const run = async () => {
    setBusy(true)
    const [isSaved] = await Promise.all([beforeExport(), folder.save()])
    // A choice made for another format, and not to be seen with this one, does not count.
    const isDone =
      isSaved &&
      (await downloadExport(jobId, {
        format,
        ...(isTimed ? timelineQuery(choice) : {}),
        ...(isTranslatable && choice.isEnglish ? { caption_language: 'english' } : {}),
      }))
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Export"
      description="Every export is verified frame by frame."
      action={
        <Button look="primary" busy={busy} onClick={() => void run()}>
          <Download size={14} aria-hidden /> Download
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          legend="Format"
          items={jobFormats.map((item) =>
            isSubtitle(item.id) && words.length === 0
              ? { ...item, note: 'No transcript to write' }
              : item,
          )}
          value={format}
          onChange={setFormat}
        />
        {isTimed && (
          <TimelineOptions choice={choice} set={set} findings={findings} hasSelects={hasSelects} />
        )}
        {isTranslatable && (
          <Select
            label="Language of the subtitles"
            value={choice.isEnglish ? 'english' : ''}
            onChange={(event) => set({ isEnglish: event.target.value === 'english' })}
            options={[
              { value: '', label: `As spoken (${languageName(language)})` },
              { value: 'english', label: 'English' },
            ]}
            hint="English is translated by machine: check names and figures."
          />
        )}
        {isTimed && hasComments && format !== 'ale' && (
          <Checkbox
            label="Comments of shared links as markers"
            checked={choice.hasComments}
            onChange={(event) => set({ hasComments: event.target.checked })}
          />
        )}
        {isLinked && <MediaFolderField folder={folder} />}
      </div>
    </Dialog>
  )
}

/** As chosen; empty is the preset. */
interface Choice {
  which: string
  rate: string
  start: string
  names: string
  hasComments: boolean
  isEnglish: boolean
}

function timelineQuery({ which, rate, start, names, hasComments }: Choice): Record<string, string> {
  const standard = standardRates.find((item) => item.label === rate)
  return {
    ...(which ? { which } : {}),
    ...(standard ? { frame_rate: standard.rate, drop_frame: String(standard.dropFrame) } : {}),
    ...(start ? { start_timecode: start } : {}),
    ...(hasComments ? { comments: 'true' } : {}),
    ...(names ? { clip_names: names } : {}),
  }
}

function TimelineOptions({
  choice,
  set,
  findings: { media, shots, cutpoints, text },
  hasSelects,
}: {
  choice: Choice
  set: (change: Partial<Choice>) => void
  findings: Partial<Findings>
  hasSelects: boolean
}) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label="Timeline"
        value={choice.which}
        onChange={(event) => set({ which: event.target.value })}
        options={[
          { value: '', label: 'All findings' },
          ...(shots ? [{ value: 'shots', label: 'Shots' }] : []),
          ...(cutpoints
            ? [
                { value: 'cutpoints', label: 'Cut points' },
                { value: 'removals-kept', label: 'Silences and fillers removed' },
              ]
            : []),
          ...(hasSelects ? [{ value: 'selects', label: 'Selects' }] : []),
        ]}
      />
      <Select
        label="Frame rate"
        value={choice.rate}
        onChange={(event) => set({ rate: event.target.value })}
        options={[
          { value: '', label: `Source (${sourceRate(media)})` },
          ...standardRates.map((item) => ({ value: item.label, label: item.label })),
        ]}
      />
      <TextField
        label="Start timecode"
        value={choice.start}
        placeholder={media?.start_timecode ?? '00:00:00:00'}
        onChange={(event) => set({ start: event.target.value })}
        hint="Leave blank to use the source timecode"
      />
      {text?.slates.some((slate) => slate.clip_name) && (
        <Select
          label="Clip names"
          value={choice.names}
          onChange={(event) => set({ names: event.target.value })}
          options={[
            { value: '', label: 'Numbered' },
            { value: 'slate', label: 'From the slate' },
          ]}
        />
      )}
    </div>
  )
}

function languageName(code: string | null | undefined): string {
  return (code && new Intl.DisplayNames(['en'], { type: 'language' }).of(code)) || 'unknown'
}

function sourceRate(media: Findings['media'] | undefined): string {
  const rate = media?.frame_rate ? parseRate(media.frame_rate) : null
  return `${rate ? rateLabel(rate) : '25'}${media?.drop_frame ? ' DF' : ''}`
}
