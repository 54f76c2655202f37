/** Describes a clip's findings and selects to the Export dialog. */
import type { Job } from '../../../contract/footage/jobs.ts'
import { exportFormats } from '../../../domain/export-formats.ts'
import type { Findings, Media } from '../../../domain/findings/findings.ts'
import { parseRate, rateLabel } from '../../../domain/time/timecode.ts'
import type { ExportPart, ExportSubject } from '../../saved/export-file.ts'
import { counted } from '../../app/format.ts'
import { saveFirst } from '../../saved/save-first.ts'
import type { CorrectionState } from './corrections/save-corrections.ts'
import { cutShots } from './review/cuts.ts'
import type { ReviewState } from './review/review-state.ts'
import { framesOf, reelOf } from './viewer/reel.ts'

interface Reviewed {
  job: Job
  findings: Partial<Findings>
  state: ReviewState
  corrections: CorrectionState
  comments: readonly unknown[]
  project: ExportSubject['project']
}

export function jobExport(reviewed: Reviewed): ExportSubject {
  const { job, findings, state, corrections, comments, project } = reviewed
  const { media, shots, text } = findings
  const { translation, language, words = [] } = findings.transcription ?? {}
  const noText = 'No transcript to write'
  return {
    exported: { job: job.id },
    title: `Export “${job.content_name}”`,
    formats: exportFormats,
    missing: words.length === 0 ? { srt: noText, vtt: noText } : {},
    holds: holdsText(findings),
    project,
    prepare: () => saveFirst('Not exported', state, corrections),
    settings: {
      parts: partsOf(reviewed),
      // As the quick buttons do it: once there are selects, they are what is wanted.
      firstPart: state.review.selects.length > 0 ? 'selects' : '',
      rate: `Source (${sourceRate(media)})`,
      start: {
        preset: media?.start_timecode ?? '00:00:00:00',
        option: 'start_timecode',
        hint: 'Leave blank to use the source timecode',
      },
      hasSlates: text?.slates.some((slate) => slate.clip_name),
      transitions: shots?.changes.filter((change) => change.end_frame > change.start_frame).length,
      hasMarkers: Boolean(findings.cutpoints ?? findings.talking ?? text?.slates.length),
      comments: comments.length,
      hasCaptions: words.length > 0,
      language: translation && languageName(language),
      hasMedia: true,
    },
  }
}

function partsOf({ findings, state }: Reviewed): ExportPart[] {
  const { media, shots, cutpoints } = findings
  const { selects, shot_threshold: threshold } = state.review
  const reel = media && reelOf(media, findings)
  const lengthOf = (ranges: Parameters<NonNullable<typeof reel>['length']>[0]) =>
    reel ? `, ${reel.length(ranges)}` : ''
  const whole = lengthOf([{ start: 0, end: reel?.frames ?? 0 }])
  const shotCount = media ? cutShots(shots, media, threshold).length : 0
  return [
    { value: '', label: 'All findings', holds: `${holdsText(findings)}${whole}` },
    ...(shots
      ? [{ value: 'shots', label: 'Shots', holds: `${counted(shotCount, 'shot')}${whole}` }]
      : []),
    ...(cutpoints
      ? [
          { value: 'cutpoints', label: 'Cut points', holds: `Cut at the cut points${whole}` },
          {
            ...{ value: 'removals-kept', label: 'Silences and fillers removed' },
            holds: 'Everything but silences and fillers',
          },
        ]
      : []),
    ...(selects.length > 0
      ? [
          {
            ...{ value: 'selects', label: 'Selects', hasHandles: true },
            holds: `${counted(selects.length, 'select')}${lengthOf(selects.map(framesOf))}`,
          },
        ]
      : []),
  ]
}

/** "14 shots, 418 words, 32 cut points" */
function holdsText({ shots, transcription, cutpoints }: Partial<Findings>): string {
  const counts = [
    shots && counted(shots.changes.length + 1, 'shot'),
    transcription && counted(transcription.words.length, 'word'),
    cutpoints && counted(cutpoints.points.length, 'cut point'),
  ].filter(Boolean)
  return counts.join(', ') || 'Everything found'
}

function languageName(code: string | null | undefined): string {
  return (code && new Intl.DisplayNames(['en'], { type: 'language' }).of(code)) || 'unknown'
}

function sourceRate(media: Media | undefined): string {
  const rate = media?.frame_rate ? parseRate(media.frame_rate) : null
  return `${rate ? rateLabel(rate) : '25'}${media?.drop_frame ? ' DF' : ''}`
}
