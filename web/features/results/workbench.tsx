/** The review of one job's findings: viewer, lanes and lists that move together. */
import { useMemo, useRef, useState } from 'react'
import type { Findings, Media } from '../../../contract/findings.ts'
import type { Job } from '../../../contract/jobs.ts'
import { Tabs } from '../../ui/tabs.tsx'
import type { Tab } from '../../ui/tabs.tsx'
import { cutShots, neighbour } from './cuts.ts'
import type { ShotRange } from './cuts.ts'
import { CutpointsTab } from './cutpoints-tab.tsx'
import { useFileAddress } from './job-data.ts'
import { usePeaks, useSprites } from './media-files.ts'
import { MetadataTab } from './metadata-tab.tsx'
import { createPlayhead } from './playhead.ts'
import { reelOf } from './reel.ts'
import { useReview } from './review-state.ts'
import type { ReviewState } from './review-state.ts'
import { SelectsTab } from './selects-tab.tsx'
import { ShortcutsDialog, useShortcuts } from './shortcuts.tsx'
import type { Shortcut } from './shortcuts.tsx'
import { ShotsTab } from './shots-tab.tsx'
import { timelineData } from './timeline-data.ts'
import { Timeline } from './timeline.tsx'
import { TranscriptTab } from './transcript-tab.tsx'
import { Transport, Viewer } from './viewer.tsx'
import type { Marks } from './viewer.tsx'

export function Workbench({
  job,
  media,
  findings,
  startFrame,
  onExport,
}: {
  job: Job
  media: Media
  findings: Partial<Findings>
  /** Where the playhead starts, e.g. at a search hit. */
  startFrame: number
  onExport: (hasSelects: boolean) => void
}) {
  const reel = useMemo(() => reelOf(media), [media])
  const playhead = useMemo(() => {
    const made = createPlayhead(reel)
    made.seek(startFrame)
    return made
  }, [reel, startFrame])
  const state = useReview(job.id)
  const address = useFileAddress(job.id)
  const find = useRef<HTMLInputElement>(null)
  const [marks, setMarks] = useState<Marks>({ inFrame: null, outFrame: null })
  const [isHelpOpen, setHelpOpen] = useState(false)
  const threshold = state.review.shot_threshold
  const shots = useMemo(
    () => cutShots(findings.shots, media, threshold),
    [findings.shots, media, threshold],
  )
  const thumbnail = findings.thumbnail
  const peaks = usePeaks(thumbnail?.waveform, address)
  const sprites = useSprites(thumbnail?.sprite, address)
  const data = useMemo(
    () =>
      timelineData({
        findings,
        review: state.review,
        shots,
        frames: reel.frames,
        framesPerSecond: reel.framesPerSecond,
        peaks,
        sprites,
      }),
    [findings, state.review, shots, reel, peaks, sprites],
  )
  const cuts = useMemo(
    () => [...shots.map((shot) => shot.startFrame), ...data.cutPoints.map((point) => point.frame)],
    [shots, data],
  )
  const toCut = (direction: 1 | -1) => {
    const to = neighbour(cuts, playhead.frame(), direction)
    if (to !== null) playhead.seek(to)
  }
  const addSelect = () => {
    const frame = playhead.frame()
    const shot = shots.find((item) => frame >= item.startFrame && frame < item.endFrame)
    const start = marks.inFrame ?? shot?.startFrame ?? frame
    const end = marks.outFrame ?? shot?.endFrame ?? frame + 1
    if (end > start) state.addSelect({ startFrame: start, endFrame: end })
    setMarks({ inFrame: null, outFrame: null })
  }
  const second = Math.round(reel.framesPerSecond)
  const shortcuts: Shortcut[] = [
    { keys: [' '], label: 'Play or pause', run: () => playhead.toggle() },
    { keys: ['j'], label: 'Backwards, faster with each press', run: () => playhead.shuttle(-1) },
    { keys: ['k'], label: 'Stop', run: () => playhead.stop() },
    { keys: ['l'], label: 'Forwards, faster with each press', run: () => playhead.shuttle(1) },
    { keys: ['ArrowLeft'], label: 'One frame back', run: () => playhead.step(-1) },
    { keys: ['ArrowRight'], label: 'One frame on', run: () => playhead.step(1) },
    { keys: ['Shift+ArrowLeft'], label: 'One second back', run: () => playhead.step(-second) },
    { keys: ['Shift+ArrowRight'], label: 'One second on', run: () => playhead.step(second) },
    { keys: ['ArrowUp'], label: 'Previous cut', run: () => toCut(-1) },
    { keys: ['ArrowDown'], label: 'Next cut', run: () => toCut(1) },
    { keys: ['i'], label: 'Mark in', run: () => setMarks({ ...marks, inFrame: playhead.frame() }) },
    {
      keys: ['o'],
      label: 'Mark out',
      run: () => setMarks({ ...marks, outFrame: playhead.frame() + 1 }),
    },
    { keys: ['h'], label: 'Highlight as a select', run: addSelect },
    { keys: ['e'], label: 'Export', run: () => onExport(state.review.selects.length > 0) },
    { keys: ['/'], label: 'Find in the transcript', run: () => find.current?.focus() },
    { keys: ['?'], label: 'This list', run: () => setHelpOpen(true) },
  ]
  useShortcuts(shortcuts)
  const poster = thumbnail?.poster ? address(thumbnail.poster) : undefined
  const video = thumbnail?.proxy ? address(thumbnail.proxy.file) : undefined
  const isComing = job.extractors.some(
    ({ id, status }) => id === 'thumbnail' && (status === 'waiting' || status === 'running'),
  )
  const talkingAt = (frame: number) =>
    data.talking.some((span) => frame >= span.startFrame && frame < span.endFrame)
  return (
    <div className="flex min-h-0 grow flex-col">
      <div className="grid min-h-0 grow lg:grid-cols-[minmax(0,1fr)_27rem] lg:grid-rows-[minmax(0,1fr)]">
        <div className="flex min-h-75 flex-col lg:min-h-0">
          <Viewer
            reel={reel}
            playhead={playhead}
            video={video}
            poster={poster}
            shots={shots}
            talkingAt={talkingAt}
            isComing={isComing}
          />
          <Transport
            reel={reel}
            playhead={playhead}
            marks={marks}
            onSelect={addSelect}
            onPreviousCut={() => toCut(-1)}
            onNextCut={() => toCut(1)}
          />
        </div>
        <div className="flex min-h-0 flex-col border-line bg-panel max-lg:order-last max-lg:border-t lg:border-l">
          <FindingsTabs
            findings={findings}
            media={media}
            state={state}
            shots={shots}
            reel={reel}
            playhead={playhead}
            find={find}
            address={address}
          />
        </div>
      </div>
      <Timeline
        reel={reel}
        playhead={playhead}
        data={data}
        summary={summaryOf(findings, shots.length)}
        snapTo={(frame, reach) =>
          cuts.find((cut) => Math.abs(cut - frame) <= reach && reach >= 1) ?? frame
        }
      />
      {isHelpOpen && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

function FindingsTabs(of: {
  findings: Partial<Findings>
  media: Media
  state: ReviewState
  shots: readonly ShotRange[]
  reel: ReturnType<typeof reelOf>
  playhead: ReturnType<typeof createPlayhead>
  find: React.RefObject<HTMLInputElement | null>
  address: (name: string) => string | undefined
}) {
  const { findings, state, reel, playhead } = of
  const tab = (id: string, label: string, content: React.ReactNode, count?: number): Tab => ({
    id,
    label,
    count,
    content: <div className="p-3">{content}</div>,
  })
  const tabs: Tab[] = []
  if (findings.transcription) {
    tabs.push(
      tab(
        'transcript',
        'Transcript',
        <TranscriptTab
          transcript={findings.transcription}
          reel={reel}
          playhead={playhead}
          find={of.find}
        />,
      ),
    )
  }
  if (findings.shots) {
    tabs.push(
      tab(
        'shots',
        'Shots',
        <ShotsTab
          found={findings.shots}
          shots={of.shots}
          stills={findings.thumbnail?.stills ?? []}
          reel={reel}
          playhead={playhead}
          threshold={state.review.shot_threshold}
          onThreshold={state.setThreshold}
          address={of.address}
        />,
        of.shots.length,
      ),
    )
  }
  if (findings.cutpoints) {
    tabs.push(
      tab(
        'cutpoints',
        'Cut points',
        <CutpointsTab
          points={findings.cutpoints.points}
          review={state.review}
          reel={reel}
          playhead={playhead}
          onDecide={state.decide}
        />,
        findings.cutpoints.points.length,
      ),
    )
  }
  tabs.push(
    tab(
      'selects',
      'Selects',
      <SelectsTab
        selects={state.review.selects}
        reel={reel}
        playhead={playhead}
        onChange={state.changeSelect}
        onRemove={state.removeSelect}
      />,
      state.review.selects.length,
    ),
    tab('metadata', 'Metadata', <MetadataTab media={of.media} ffprobe={findings.ffprobe} />),
    tab(
      'json',
      'JSON',
      <pre tabIndex={0} className="overflow-x-auto text-xs leading-5 text-ink-2">
        {JSON.stringify(findings, shorten, 2).slice(0, mostJsonCharacters)}
      </pre>,
    ),
  )
  return <Tabs label="Findings" tabs={tabs} />
}

const mostJsonCharacters = 200_000

/** The score of each frame is bytes in base64: nothing to read. */
function shorten(key: string, value: unknown): unknown {
  return key === 'bytes' && typeof value === 'string' ? `${value.slice(0, 24)}…` : value
}

function summaryOf(findings: Partial<Findings>, shots: number): string {
  const parts: string[] = []
  if (findings.shots) parts.push(`${shots} shots`)
  if (findings.cutpoints) parts.push(`${findings.cutpoints.points.length} cut points`)
  if (findings.talking) {
    const seconds = findings.talking.speech.reduce((sum, span) => sum + span.end - span.start, 0)
    parts.push(`${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s speech`)
  }
  return parts.join(' · ')
}
