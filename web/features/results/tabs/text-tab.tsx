import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { FindingsOf, Slate, TextLine } from '../../../../domain/findings/findings.ts'
import type { Job } from '../../../../contract/footage/jobs.ts'
import { slateFields } from '../../../../domain/findings/slates.ts'
import { api } from '../../../app/api.ts'
import { counted } from '../../../app/format.ts'
import { keys } from '../../../app/queries.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { FoundRange, FoundRanges } from '../review/found-range.tsx'
import { useWorkbench } from '../workbench-context.ts'

/** Below this a reading is shown as a doubt. */
const sure = 0.85

/** Slates with their fields, then every line that was read, each at its frames. */
export function TextTab({ text: { lines, slates } }: { text: FindingsOf<'text'> }) {
  const { reel, state } = useWorkbench()
  if (lines.length === 0) {
    return <EmptyState title="No text">Nothing to read was seen in this footage.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-ink-3">
        {counted(lines.length, 'line')} · {counted(slates.length, 'slate')}
      </p>
      {slates.map((slate) => (
        <SlateCard key={slate.start_frame} slate={slate} />
      ))}
      <FoundRanges
        rows={lines.map((line) => (
          <FoundRange
            key={`${line.start_frame} ${line.box.x} ${line.box.y}`}
            range={{ startFrame: line.start_frame, endFrame: line.end_frame }}
            label={line.text}
            hint={hintOf(line)}
          >
            <IconButton
              label={`Add ${line.text} at ${reel.timecode(line.start_frame)} to the selects`}
              look="secondary"
              onClick={() =>
                state.addSelect({ startFrame: line.start_frame, endFrame: line.end_frame })
              }
            >
              <Plus size={16} aria-hidden />
            </IconButton>
          </FoundRange>
        ))}
      />
    </div>
  )
}

function hintOf(line: TextLine): string {
  const percent = `${Math.round(line.confidence * 100)} %`
  const parts = [line.on_slate ? 'Slate' : '', line.confidence < sure ? `Unsure, ${percent}` : '']
  return parts.filter(Boolean).join(' · ')
}

function SlateCard({ slate }: { slate: Slate }) {
  const { job, reel, playhead } = useWorkbench()
  const { clap, clip_name: name } = slate
  const timecode = reel.timecode(slate.start_frame)
  const shown = slateFields.flatMap((field) => {
    const value = slate[field]
    return value ? [{ field, ...value }] : []
  })
  return (
    <section
      aria-label={`Slate ${name ?? timecode}`}
      className="rounded-md border border-line bg-page"
    >
      <header className="flex items-center gap-2 border-b border-line px-3 py-1.5">
        <h3 className="grow truncate font-medium">Slate {name}</h3>
        <button
          type="button"
          className="timecode rounded-sm text-brand-ink pointer-coarse:min-h-11"
          onClick={() => playhead.seek(slate.start_frame)}
        >
          {timecode}
        </button>
      </header>
      <dl className="grid grid-cols-3 gap-x-3 gap-y-2 px-3 py-2">
        {shown.map(({ field, text, confidence }) => (
          <div key={field} className="min-w-0">
            <dt className="text-xs text-ink-3">{fieldLabels[field]}</dt>
            <dd className="timecode truncate" title={text}>
              {text}
              {confidence < sure && <span className="ml-1 text-xs text-warn">unsure</span>}
            </dd>
          </div>
        ))}
      </dl>
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-1.5">
        <p className="grow text-xs text-ink-3">
          {clap ? (
            <>
              Clap at{' '}
              <button
                type="button"
                className="timecode rounded-sm text-brand-ink pointer-coarse:min-h-11"
                onClick={() => playhead.seek(clap.frame)}
              >
                {reel.timecode(clap.frame)}
              </button>{' '}
              ({clapWitness(clap)})
            </>
          ) : (
            'No clap found'
          )}
        </p>
        {name && job?.content_id && (
          <UseAsName job={job} contentId={job.content_id} clipName={name} />
        )}
      </footer>
    </section>
  )
}

const fieldLabels = {
  scene: 'Scene',
  take: 'Take',
  roll: 'Roll',
  camera: 'Camera',
  date: 'Date',
  timecode: 'Timecode',
} as const

function clapWitness({ heard, seen }: NonNullable<Slate['clap']>): string {
  if (heard && seen) return 'heard and seen'
  return heard ? 'heard' : 'seen'
}

/** Renames the clip in the library, and back again. */
function UseAsName({
  job,
  contentId,
  clipName,
}: {
  job: Job
  contentId: string
  clipName: string
}) {
  const queries = useQueryClient()
  const [before, setBefore] = useState<string | null>(null)
  const ending = /\.[^./\\]{1,8}$/.exec(job.content_name)?.[0] ?? ''
  const name = `${clipName.replaceAll('/', '-')}${ending}`
  const rename = useMutation({
    mutationFn: (fileName: string) =>
      api.updateContent({ params: { id: contentId }, body: { file_name: fileName } }),
    onSuccess: ({ content }) => {
      setBefore(before === null ? job.content_name : null)
      const message = `The clip is now called ${content.file_name}.`
      showToast({ type: 'success', title: 'Renamed', message })
      for (const queryKey of [keys.content, keys.job, keys.recentJobs]) {
        void queries.invalidateQueries({ queryKey })
      }
    },
    meta: { failure: { title: 'Not renamed' } },
  })
  return before === null ? (
    <Button
      busy={rename.isPending}
      disabled={job.content_name === name}
      title={`Rename the clip to ${name}. Exports then look for the media under this name.`}
      onClick={() => rename.mutate(name)}
    >
      Use as clip name
    </Button>
  ) : (
    <Button busy={rename.isPending} onClick={() => rename.mutate(before)}>
      Undo rename
    </Button>
  )
}
