import { Download } from 'lucide-react'
import { useState } from 'react'
import { jobFormats } from '../../../../domain/export-formats.ts'
import type { ExportFormat } from '../../../../domain/export-formats.ts'
import type { Findings } from '../../../../domain/findings/findings.ts'
import { parseRate, rateLabel, standardRates } from '../../../../domain/time/timecode.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
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
  /** That the clip is in. */
  project: ProjectFolder | null
  hasSelects: boolean
  /** On shared links of the review. */
  hasComments: boolean
  /** Exports are made from what the server knows. */
  beforeExport: () => Promise<boolean>
  onClose: () => void
}) {
  const [format, setFormat] = useState<ExportFormat>('edl')
  // As the quick buttons do it: once there are selects, they are what is wanted.
  const [which, setWhich] = useState(hasSelects ? 'selects' : '')
  const [rate, setRate] = useState('')
  const [start, setStart] = useState('')
  const [withComments, setWithComments] = useState(hasComments)
  const [names, setNames] = useState('')
  const [isEnglish, setEnglish] = useState(false)
  const [busy, setBusy] = useState(false)
  const folder = useMediaFolder(project)
  const media = findings.media
  const isMissing = (id: ExportFormat) =>
    (id === 'srt' || id === 'vtt') && !findings.transcription?.words.length
  const { timed: isTimed, linked: isLinked } = jobFormats.find((item) => item.id === format)!
  const { translation, language } = findings.transcription ?? {}
  const isTranslatable = translation && (format === 'srt' || format === 'vtt')
  const run = async () => {
    const chosen = standardRates.find((item) => item.label === rate)
    setBusy(true)
    const [isSaved] = await Promise.all([beforeExport(), folder.save()])
    if (!isSaved) {
      setBusy(false)
      return
    }
    // Choices made for another format, and not shown with this one, do not count.
    const options = {
      ...(which ? { which } : {}),
      ...(chosen ? { frame_rate: chosen.rate, drop_frame: String(chosen.dropFrame) } : {}),
      ...(start ? { start_timecode: start } : {}),
      ...(withComments ? { comments: 'true' } : {}),
      ...(names ? { clip_names: names } : {}),
    }
    const done = await downloadExport(jobId, {
      format,
      ...(isTimed ? options : {}),
      ...(isTranslatable && isEnglish ? { caption_language: 'english' } : {}),
    })
    setBusy(false)
    if (done) onClose()
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
        <fieldset>
          <legend className="mb-1 text-sm font-medium">Format</legend>
          <div className="grid gap-1 sm:grid-cols-2">
            {jobFormats.map((item) => (
              <label
                key={item.id}
                className="flex items-start gap-2 rounded-md border border-line px-2.5 py-1.5 has-checked:border-brand has-checked:bg-brand-wash"
              >
                <input
                  type="radio"
                  aria-label={`${item.name}: ${item.use}`}
                  name="format"
                  value={item.id}
                  checked={format === item.id}
                  disabled={isMissing(item.id)}
                  onChange={() => setFormat(item.id)}
                  className="mt-1 accent-brand"
                />
                <span>
                  <span className="block font-medium">{item.name}</span>
                  <span className="text-xs text-ink-3">
                    {isMissing(item.id) ? 'No transcript to write' : item.use}
                  </span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        {isTimed && (
          <div className="grid gap-3 sm:grid-cols-2">
            <Select
              label="Timeline"
              value={which}
              onChange={(event) => setWhich(event.target.value)}
              options={[
                { value: '', label: 'All findings' },
                ...(findings.shots ? [{ value: 'shots', label: 'Shots' }] : []),
                ...(findings.cutpoints
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
              value={rate}
              onChange={(event) => setRate(event.target.value)}
              options={[
                {
                  value: '',
                  label: `Source (${sourceRate(media)})`,
                },
                ...standardRates.map((item) => ({ value: item.label, label: item.label })),
              ]}
            />
            <TextField
              label="Start timecode"
              value={start}
              placeholder={media?.start_timecode ?? '00:00:00:00'}
              onChange={(event) => setStart(event.target.value)}
              hint="Leave blank to use the source timecode"
            />
            {findings.text?.slates.some((slate) => slate.clip_name) && (
              <Select
                label="Clip names"
                value={names}
                onChange={(event) => setNames(event.target.value)}
                options={[
                  { value: '', label: 'Numbered' },
                  { value: 'slate', label: 'From the slate' },
                ]}
              />
            )}
          </div>
        )}
        {isTranslatable && (
          <Select
            label="Language of the subtitles"
            value={isEnglish ? 'english' : ''}
            onChange={(event) => setEnglish(event.target.value === 'english')}
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
            checked={withComments}
            onChange={(event) => setWithComments(event.target.checked)}
          />
        )}
        {isLinked && <MediaFolderField folder={folder} />}
      </div>
    </Dialog>
  )
}

function languageName(code: string | null | undefined): string {
  return (code && new Intl.DisplayNames(['en'], { type: 'language' }).of(code)) || 'unknown'
}

function sourceRate(media: Findings['media'] | undefined): string {
  const rate = media?.frame_rate ? parseRate(media.frame_rate) : null
  return `${rate ? rateLabel(rate) : '25'}${media?.drop_frame ? ' DF' : ''}`
}
