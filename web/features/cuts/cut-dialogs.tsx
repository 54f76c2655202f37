/** Settings, earlier versions, and the end of a cut. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { uprightSize } from '../../../domain/cuts/frame-size.ts'
import { parseTimecode } from '../../../domain/time/timecode.ts'
import { cutFormat, cutSize } from '../../../domain/cuts/cut-times.ts'
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import { api } from '../../app/api.ts'
import { showFailure } from '../../app/failures.ts'
import { counted, dateTime } from '../../app/format.ts'
import { readLocal, writeLocal } from '../../dom/browser-storage.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useCut } from './cut-context.ts'
import {
  TimelineFields,
  clipRate,
  isConformed,
  rateName,
  rateNamed,
  rateText,
  sizeNamed,
  sizeText,
} from './timeline-fields.tsx'

export function CutSettingsDialog({ onClose }: { onClose: () => void }) {
  const { state } = useCut()
  const { cut } = state
  const [name, setName] = useState(cut.name)
  const [target, setTarget] = useState(targetText(cut.target_seconds))
  const [rate, setRate] = useState(rateName(cut))
  const [size, setSize] = useState(cut.frame_size ? sizeText(cut.frame_size) : '')
  const [start, setStart] = useState(cut.start_timecode)
  const sizes = [
    ...(cut.frame_size ? [cut.frame_size] : []),
    ...state.sources.flatMap(({ media }) => uprightSize(media) ?? []),
  ].map(sizeText)
  const [problems, setProblems] = useState<{ name?: string; target?: string; start?: string }>({})
  const save = (): void => {
    const seconds = targetSeconds(target)
    const { frame_rate, drop_frame } = cut
    const format = { frame_rate, drop_frame, ...rateNamed(rate) }
    const wrong = {
      ...(name.trim() ? {} : { name: 'Please enter a name for the cut' }),
      ...(seconds === undefined ? { target: 'Use minutes and seconds, such as 6:00' } : {}),
      ...(parseTimecode(start, cutFormat(format)) === null
        ? { start: 'Use a timecode of this rate, such as 01:00:00:00' }
        : {}),
    }
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    state.changeSettings({
      name: name.trim(),
      target_seconds: seconds ?? null,
      start_timecode: start,
      frame_size: sizeNamed(size),
      ...format,
    })
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title="Name, target, rate and size"
      action={
        <Button look="primary" onClick={save}>
          Save
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          error={problems.name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Target length"
          value={target}
          placeholder="6:00"
          hint="Minutes and seconds. Leave blank for none."
          error={problems.target}
          onChange={(event) => setTarget(event.target.value)}
        />
        <TimelineFields
          rate={rate}
          rates={
            'frame_rate' in rateNamed(rateName(cut))
              ? []
              : [{ value: rateName(cut), label: rateText(cut) }]
          }
          size={size}
          sizes={sizes}
          hint="Clips of other rates are conformed by exact time."
          onRate={setRate}
          onSize={setSize}
        />
        <TextField
          label="Start timecode"
          hint="Here, on shared pages and in exports."
          value={start}
          error={problems.start}
          onChange={(event) => setStart(event.target.value)}
        />
      </div>
    </Dialog>
  )
}

export function VersionsDialog({ onClose }: { onClose: () => void }) {
  const { state, view } = useCut()
  const { id } = state.cut
  const { data, isError, refetch } = useQuery({
    queryKey: ['cut-versions', id, state.cut.version],
    queryFn: ({ signal }) => api.listCutVersions({ params: { id } }, { signal }),
  })
  const restore = useMutation({
    mutationFn: (version: number) => api.getCut({ params: { id }, query: { version } }),
    onSuccess: ({ cut }) => {
      state.change(() => cut.ranges)
      const message = 'Press Ctrl Z to go back.'
      showToast({ type: 'success', title: `Version ${cut.version} is back`, message })
      onClose()
    },
    meta: { failure: { title: 'Couldn’t restore the version' } },
  })
  return (
    <Dialog onClose={onClose} title="Earlier versions" isForReading>
      {isError ? (
        <LoadFailure onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton className="h-32" />
      ) : (
        <ul className="divide-y divide-line">
          {data.versions.map((version) => (
            <li key={version.version} className="flex items-center gap-3 py-1.5">
              <span className="figures w-24">Version {version.version}</span>
              <span className="grow text-xs text-ink-3">{dateTime(version.saved_at)}</span>
              <span className="timecode text-xs text-ink-2">{view.length(version.frames)}</span>
              {version.version === state.cut.version ? (
                <span className="w-20 text-center text-xs text-ink-3">now</span>
              ) : (
                <Button
                  className="w-20"
                  busy={restore.isPending && restore.variables === version.version}
                  onClick={() => restore.mutate(version.version)}
                >
                  Restore
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

/** Says that clips run at another rate than the cut, until that was decided for this rate. */
export function OtherRateBar({ onSettings }: { onSettings: () => void }) {
  const { state, view } = useCut()
  const { cut, sources } = state
  const key = `kept-rates:${cut.id}`
  const [kept, setKept] = useState(() => readLocal(key) ?? '')
  const used = new Set(view.events.map((event) => event.contentId))
  const others = sources.filter(
    (source) =>
      used.has(source.content_id) &&
      isConformed(source, cut) &&
      !kept.split('|').includes(decision(cut, source)),
  )
  const [first] = others
  if (!first) return null
  const size = uprightSize(first.media)
  const own = cutSize(cut, sources)
  const more = others.length - 1
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-warn-wash px-4 py-1.5"
    >
      <p className="grow">
        {first.name} runs at {clipRate(first)}
        {size && `, ${sizeText(size)}`}
        {more > 0 && `; ${counted(more, 'other clip')} at another rate too`}. This cut runs at{' '}
        {rateText(cut)}
        {own && `, ${sizeText(own)}`}.
      </p>
      <Button onClick={onSettings}>Change the cut…</Button>
      <Button
        onClick={() => {
          const all = [...kept.split('|'), ...others.map((source) => decision(cut, source))]
          const text = [...new Set(all)].filter(Boolean).join('|')
          writeLocal(key, text)
          setKept(text)
        }}
      >
        Keep {rateName(cut)} fps
      </Button>
    </div>
  )
}

function decision(cut: Cut, source: CutSource): string {
  return `${clipRate(source)} at ${rateName(cut)}`
}

export function DeleteCutDialog({
  cut,
  onDeleted,
  onClose,
}: {
  cut: Pick<Cut, 'id' | 'name'>
  onDeleted: () => void
  onClose: () => void
}) {
  const remove = useMutation({
    mutationFn: () => api.deleteCut({ params: { id: cut.id } }),
    onSuccess: onDeleted,
    meta: { failure: { title: 'Not deleted' } },
  })
  return (
    <AlertDialog
      onClose={onClose}
      title={`Delete “${cut.name}”?`}
      question="Its versions, share links and their comments go with it. The clips stay in the library."
      confirmLabel="Delete cut"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
    />
  )
}

/** Two versions and a choice: nothing is lost before it is made. */
export function ConflictBar() {
  const { state, view } = useCut()
  const navigate = useNavigate()
  const { theirs } = state
  if (!theirs) return null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-warn-wash px-4 py-2"
    >
      <p className="grow">
        Somebody saved version {theirs.version} meanwhile: {counted(theirs.ranges.length, 'clip')},
        at {dateTime(theirs.updated_at)}. Yours has {state.cut.ranges.length},{' '}
        <span className="timecode">{view.length(view.frames)}</span>. Both are kept until you
        choose.
      </p>
      <Button onClick={state.takeTheirs}>Take theirs</Button>
      <Button onClick={state.keepMine}>Keep mine</Button>
      {state.cut.project_id && (
        <Button
          onClick={() =>
            void state
              .keepBoth()
              .then((id) => id && navigate(`/cuts/${id}`))
              .catch((error: unknown) => showFailure(error, { title: 'No copy made' }))
          }
        >
          Keep both
        </Button>
      )}
    </div>
  )
}

function targetText(seconds: number | null): string {
  if (seconds === null) return ''
  return `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`
}

/** Null: none wanted; undefined: not a length. */
function targetSeconds(text: string): number | null | undefined {
  const clean = text.trim()
  if (!clean) return null
  const parts = /^(?:(\d{1,2}):)?(\d{1,4})(?::([0-5]?\d))?$/.exec(clean)
  if (!parts) return undefined
  const numbers = clean.split(':').map(Number)
  const seconds =
    numbers.length === 1
      ? (numbers[0] ?? 0) * 60
      : numbers.reduce((sum, part) => sum * 60 + part, 0)
  return seconds >= 1 && seconds <= 86_400 ? seconds : undefined
}
