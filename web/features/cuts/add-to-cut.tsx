/** Puts ranges into a cut from anywhere: the last one used is offered first. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { addRanges, hasRoom } from '../../../domain/cuts/cut-edit.ts'
import type { NewRange } from '../../../domain/cuts/cut-edit.ts'
import type { Cut, CutSource, CutSummary } from '../../../contract/footage/cuts.ts'
import { CallError } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { isMissingCall, showFailure } from '../../app/failures.ts'
import { ago, counted } from '../../app/format.ts'
import { keys } from '../../app/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { lastCutId, rememberCut, useCuts, useProjectList } from './cut-list.ts'
import { AddedClips } from './added-clips.tsx'
import type { AddedClip } from './added-clips.tsx'
import { lengthText } from './length-text.ts'
import { NewCutDialog } from './new-cut-dialog.tsx'
import { clipRate, isConformed, rateText } from './timeline-fields.tsx'

export function AddToCutDialog({
  clips,
  onClose,
}: {
  clips: readonly AddedClip[]
  onClose: () => void
}) {
  const ranges = clips.map(({ range }) => range)
  const { data, error, refetch } = useCuts()
  const projects = useProjectList()
  const [isNew, setNew] = useState(false)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const done = (cut: Cut, sources: readonly CutSource[] = []): void => {
    rememberCut(cut.id)
    void queries.invalidateQueries({ queryKey: keys.cuts })
    void queries.invalidateQueries({ queryKey: [...keys.cut, cut.id] })
    const message = [
      `“${cut.name}” now has ${ranges.length === 1 ? 'it' : 'them'} at its end.`,
      otherRate(cut, { ranges, sources }),
    ]
    showToast({
      type: 'success',
      title: `Added ${counted(ranges.length, 'clip')}`,
      message: message.join(' ').trim(),
      action: { label: 'Open', run: () => void navigate(`/cuts/${cut.id}`) },
    })
    onClose()
  }
  const add = useMutation({
    mutationFn: (cut: CutSummary) => appendTo(cut.id, ranges),
    onSuccess: ({ cut, sources }) => done(cut, sources),
    onError: (failure) => showFailure(failure, { title: 'Not added', fallback: textOf(failure) }),
  })
  if (isNew) {
    return <NewCutDialog clips={clips} onCreated={done} onClose={onClose} />
  }
  const last = lastCutId()
  const cuts = (data?.cuts ?? []).toSorted((a, b) => Number(b.id === last) - Number(a.id === last))
  const names = new Map(projects.map((project) => [project.id, project.name]))
  return (
    <Dialog
      onClose={onClose}
      title="Add to cut"
      description={<AddedClips clips={clips} />}
      action={<Button onClick={() => setNew(true)}>New cut…</Button>}
    >
      {error ? (
        isMissingCall(error) ? (
          <p className="text-ink-2">This server has no cuts.</p>
        ) : (
          <LoadFailure onRetry={() => void refetch()} />
        )
      ) : !data ? (
        <Skeleton className="h-20" />
      ) : cuts.length === 0 ? (
        <p className="text-ink-2">You have no cuts yet. Start the first one with New cut…</p>
      ) : (
        <ul className="-mx-2 flex flex-col">
          {cuts.map((cut, index) => (
            <li key={cut.id}>
              <button
                type="button"
                // A and Enter add to the cut that was used last.
                // oxlint-disable-next-line jsx-a11y/no-autofocus
                autoFocus={index === 0}
                disabled={add.isPending}
                onClick={() => add.mutate(cut)}
                className="flex w-full items-baseline gap-3 rounded-md px-2 py-1.5 text-left hover:bg-hover pointer-coarse:min-h-11"
              >
                <span className="min-w-0 grow">
                  <span className="block truncate font-medium">{cut.name}</span>
                  <span className="block truncate text-xs text-ink-3">
                    {cut.project_id ? (names.get(cut.project_id) ?? '…') : 'No project'}
                    {cut.id === last && ' · last used'}
                  </span>
                </span>
                <span className="figures text-xs whitespace-nowrap text-ink-3">
                  {lengthText(cut.seconds)} · {ago(cut.updated_at)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && cuts.length > 0 && (
        <p className="mt-2 text-xs text-ink-3">
          <Link to="/cuts" className="text-brand-ink hover:underline">
            All cuts
          </Link>
        </p>
      )}
    </Dialog>
  )
}

const tries = 3

/** At the end of whatever is saved now: somebody who saves in between is not overwritten. */
async function appendTo(id: string, ranges: readonly NewRange[]) {
  for (let count = 1; ; count += 1) {
    const { cut } = await api.getCut({ params: { id }, query: {} })
    if (!hasRoom(cut.ranges, ranges.length)) throw new FullCut()
    const { name, frame_rate, drop_frame, start_timecode, target_seconds, version } = cut
    const settings = { name, frame_rate, drop_frame, start_timecode, target_seconds, version }
    try {
      const body = { ...settings, ranges: addRanges(cut.ranges, ranges) }
      return await api.saveCut({ params: { id }, body })
    } catch (error) {
      const isBehind = error instanceof CallError && error.status === 409
      if (!isBehind || count === tries) throw error
    }
  }
}

/** Warns of a clip that runs at another rate than the cut. */
function otherRate(
  cut: Cut,
  added: { ranges: readonly NewRange[]; sources: readonly CutSource[] },
): string {
  const ids = new Set(added.ranges.map((range) => range.content_id))
  const other = added.sources.find(
    (source) => ids.has(source.content_id) && isConformed(source, cut),
  )
  return other ? `${other.name} runs at ${clipRate(other)}, the cut at ${rateText(cut)}.` : ''
}

class FullCut extends Error {}

function textOf(error: unknown): string {
  return error instanceof FullCut
    ? 'A cut holds at most 2,000 clips. Start another one.'
    : 'Please check your connection and try again.'
}
