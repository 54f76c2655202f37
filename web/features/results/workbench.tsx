/** The review of one job's findings: viewer, lanes and lists that move together. */
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { Findings, Media, TextLine } from '../../../contract/findings.ts'
import type { Job } from '../../../contract/jobs.ts'
import { soundDelayText } from '../../../contract/lip-sync.ts'
import type { Unmatched } from '../../../contract/corrections.ts'
import { counted } from '../../app/format.ts'
import { saveFirst } from '../../app/save-first.ts'
import { toggleFullScreen } from '../../ui/full-screen.ts'
import { Button } from '../../ui/button.tsx'
import { nearest } from '../../ui/timeline-scale.ts'
import { useFrameSeconds } from '../../app/use-frame-seconds.ts'
import { showToast } from '../../ui/toast.tsx'
import { ConflictDialog } from './corrections/conflict-dialog.tsx'
import type { SpeakerQuestion } from './corrections/correcting.ts'
import type { CorrectionState } from './corrections/correction-state.ts'
import { CorrectionsBar } from './corrections/corrections-bar.tsx'
import { correctShot } from './corrections/shot-menu.tsx'
import { SpeakerQuestionDialog } from './corrections/speaker-question.tsx'
import { cutShots, neighbour } from './review/cuts.ts'
import { downloadExport } from './exports/download-export.ts'
import { FindingsTabs, screenTextId } from './tabs/findings-tabs.tsx'
import { useFileAddress } from './job-data.ts'
import { duration } from './job-progress.tsx'
import { markedRange, markIn, markOut, noMarks } from './review/marks.ts'
import type { Playhead } from './viewer/playhead.ts'
import { framesOf, proxyClock, reelOf } from './viewer/reel.ts'
import type { Frames, Reel } from './viewer/reel.ts'
import { usePlayhead } from './viewer/use-playhead.ts'
import type { ReviewState } from './review/review-state.ts'
import { ShortcutsDialog, useShortcuts } from '../../ui/shortcuts.tsx'
import type { AddedRange } from './review/selects-tab.tsx'
import { shortcutList } from './review/shortcut-list.ts'
import { SoundPicture } from './timeline/sound-picture.tsx'
import { voiceAt } from './timeline/timeline-data.ts'
import { useTimelineData } from './timeline/use-timeline-data.ts'
import { filledLanes } from './timeline/filled-lanes.ts'
import { Timeline } from './timeline/timeline.tsx'
import type { Zoom } from './timeline/timeline.tsx'
import { Transport } from './viewer/transport.tsx'
import type { MarkActions } from './viewer/transport.tsx'
import { Viewer } from './viewer/viewer.tsx'
import { withoutPicture } from './viewer/without-picture.ts'

export function Workbench({
  job,
  media,
  found,
  findings,
  state,
  corrections,
  unmatched,
  project,
  startFrame,
  comments,
  commentList,
  onExport,
  onAddToCut,
}: {
  job: Job
  media: Media
  /** As the machine found it. */
  found: Partial<Findings>
  /** With the corrections laid over it. */
  findings: Partial<Findings>
  state: ReviewState
  corrections: CorrectionState
  unmatched: readonly Unmatched[]
  /** That the clip is in. */
  project: { id: string; name: string } | null
  /** Where the playhead starts, e.g. at a search hit. */
  startFrame: number
  /** What people wrote on shared links, without the answers. */
  comments: readonly { id: string; at: number; name: string; text: string }[]
  commentList: (playhead: Playhead, timecode: (frame: number) => string) => ReactNode
  onExport: () => void
  /** Nothing where the clip itself is gone. */
  onAddToCut?: (
    clips: readonly {
      range: AddedRange
      in: string
      out: string
      length: string
      seconds: number
    }[],
  ) => void
}) {
  // At a constant rate the reel stays the same, whatever else is found.
  const timed = media.variable_frame_rate ? found : undefined
  const reel = useMemo(() => reelOf(media, timed), [media, timed])
  const playhead = usePlayhead(reel, startFrame)
  const address = useFileAddress(job.id)
  const find = useRef<HTMLInputElement>(null)
  const correctHere = useRef<() => void>(null)
  const [marks, setMarks] = useState(noMarks)
  /** The frames that became a select last, and where the playhead was then. */
  const [kept, setKept] = useState<(Frames & { at: number }) | null>(null)
  const [tab, setTab] = useState('')
  const [shownTab, setShownTab] = useState('')
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isSnapping, setSnapping] = useState(true)
  const zooming = useRef<(direction: Zoom) => void>(null)
  const frame = useRef<HTMLDivElement>(null)
  const threshold = state.review.shot_threshold
  const shots = useMemo(
    () => cutShots(findings.shots, media, threshold),
    [findings.shots, media, threshold],
  )
  const thumbnail = findings.thumbnail
  const data = useTimelineData({ findings, review: state.review, shots, reel, address })
  const starts = useMemo(() => shots.map((shot) => shot.startFrame), [shots])
  const cutPoints = useMemo(() => data.cutPoints.map((point) => point.frame), [data.cutPoints])
  const cuts = useMemo(() => [...starts, ...cutPoints], [starts, cutPoints])
  const filled = useMemo(() => filledLanes(job, media, findings), [job, media, findings])
  const goTo = (frames: readonly number[], direction: 1 | -1) => {
    const to = neighbour(frames, playhead.frame(), direction)
    if (to !== null) playhead.seek(to)
  }
  const toShot = (direction: 1 | -1) => goTo(starts, direction)
  /** What is marked, else the shot at the playhead. */
  const chosenRange = () => {
    const at = playhead.frame()
    const shot = shots.find((item) => at >= item.startFrame && at < item.endFrame)
    const here = { start: shot?.startFrame ?? at, end: shot?.endFrame ?? at }
    return markedRange(marks, reel.frames) ?? here
  }
  const addRanges =
    onAddToCut &&
    ((ranges: readonly AddedRange[]) =>
      onAddToCut(
        ranges.map((range) => ({
          range,
          in: reel.timecode(range.in),
          out: reel.timecode(range.out),
          length: reel.length([{ start: range.in, end: range.out }]),
          seconds: reel.secondsAt(range.out) - reel.secondsAt(range.in),
        })),
      ))
  /** The select that was just made, until other frames are marked or gone to. */
  const freshSelect = () => {
    const at = playhead.frame()
    if (!kept || markedRange(marks, reel.frames)) return undefined
    if (at !== kept.at && (at < kept.start || at > kept.end)) return undefined
    const { selects } = state.review
    return selects.find((item) => item.start_frame === kept.start && item.end_frame === kept.end)
  }
  const addToCut = () => {
    const select = freshSelect()
    const { start, end } = select ? framesOf(select) : chosenRange()
    const name = select ? { name: select.name } : {}
    if (addRanges && end > start) addRanges([{ in: start, out: end, ...name }])
    else {
      const message = 'Mark a range first: In (I) at its first frame, Out (O) at its last.'
      showToast({ type: 'info', title: 'Nothing to add', message })
    }
  }
  const addSelect = () => {
    const { start, end } = chosenRange()
    if (end > start) {
      state.addSelect({ startFrame: start, endFrame: end })
      setMarks(noMarks)
      setKept({ start, end, at: playhead.frame() })
      return
    }
    const message = 'Mark a range first: In (I) at its first frame, Out (O) at its last.'
    showToast({ type: 'info', title: 'No select made', message })
  }
  const markPassage = useCallback(
    ({ startFrame: from, endFrame: to }: { startFrame: number; endFrame: number }) => {
      setMarks({ inFrame: from, outFrame: to })
      playhead.seek(from)
    },
    [playhead],
  )
  const findInTranscript = () => {
    // The field stands in its tab, which has to be there before it can take the keyboard.
    flushSync(() => setTab('transcript'))
    if (find.current) find.current.focus()
    else
      showToast({
        type: 'info',
        title: 'No transcript',
        message: 'Run Transcription to search it.',
      })
  }
  const [question, setQuestion] = useState<SpeakerQuestion | null>(null)
  const correcting = useMemo(
    () => (corrections.isOffered ? { state: corrections, found, askSpeaker: setQuestion } : null),
    [corrections, found, setQuestion],
  )
  const correctWords = () => {
    flushSync(() => setTab('transcript'))
    correctHere.current?.()
  }
  const marking: MarkActions = {
    markIn: () => setMarks(markIn(marks, playhead.frame())),
    markOut: () => setMarks(markOut(marks, playhead.frame(), isSnapping ? cuts : [])),
    clear: () => {
      setMarks(noMarks)
      setKept(null)
    },
    playMarked: () =>
      playhead.playPassages([
        { startFrame: marks.inFrame ?? 0, endFrame: marks.outFrame ?? reel.frames },
      ]),
  }
  const shortcuts = shortcutList(reel, playhead, {
    ...marking,
    toShot,
    toCutPoint: (direction) => goTo(cutPoints, direction),
    addSelect,
    ...(onAddToCut ? { addToCut } : {}),
    undo: () => (corrections.undoAt() > state.undoAt() ? corrections : state).undo(),
    redo: () => (corrections.redoAt() > state.redoAt() ? corrections : state).redo(),
    correctWords,
    splitShot: () => correcting && correctShot(correcting, shots, playhead.frame(), 'split'),
    mergeShot: () => correcting && correctShot(correcting, shots, playhead.frame(), 'merge'),
    snap: () => setSnapping(!isSnapping),
    zoom: (direction) => zooming.current?.(direction),
    fullScreen: () => toggleFullScreen(frame.current),
    export: onExport,
    find: findInTranscript,
    help: () => setHelpOpen(true),
  })
  // A document and a still have nothing to play and nothing on a timeline.
  const isTimeless = media.kind === 'document' || media.kind === 'image'
  useShortcuts(shortcuts, isTimeless ? 'e' : undefined)
  const poster = thumbnail?.poster ? address(thumbnail.poster) : undefined
  const video = thumbnail?.proxy ? address(thumbnail.proxy.file) : undefined
  const exact = useFrameSeconds(timed && video ? [video] : []).get(video ?? '')
  const proxy = useMemo(
    () => proxyClock(thumbnail?.proxy, timed ? { ...timed, media } : null, exact),
    [thumbnail?.proxy, timed, media, exact],
  )
  const lists = (
    <FindingsTabs
      job={job}
      findings={findings}
      media={media}
      state={state}
      shots={shots}
      reel={reel}
      playhead={playhead}
      find={find}
      onPassage={markPassage}
      chosen={tab}
      onChoose={setTab}
      onShown={setShownTab}
      startFrame={startFrame}
      address={address}
      correcting={correcting}
      correctHere={correctHere}
      comments={{ count: comments.length, list: commentList(playhead, reel.timecode) }}
      {...(addRanges ? { onAddToCut: addRanges } : {})}
    />
  )
  const viewer = (
    <Viewer
      reel={reel}
      playhead={playhead}
      video={video}
      proxy={proxy}
      ratio={ratioOf(thumbnail?.proxy, media)}
      poster={poster}
      shots={shots}
      lines={shownTab === screenTextId ? (findings.text?.lines ?? noLines) : noLines}
      voiceAt={(frame) => voiceAt(data, frame)}
      sound={
        media.kind === 'audio' &&
        video && (
          <SoundPicture
            reel={reel}
            playhead={playhead}
            sound={video}
            proxy={proxy}
            peaks={data.peaks}
          />
        )
      }
      hasSound={media.audio.length > 0}
      withoutPicture={withoutPicture({ job, media, thumbnail })}
      frame={frame}
    />
  )
  if (media.kind === 'document') return <div className="flex min-h-0 grow bg-panel">{lists}</div>
  return (
    <div className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] min-[900px]:grid-cols-[minmax(0,1fr)_26.5rem] min-[900px]:grid-rows-[minmax(0,1fr)_auto] xl:grid-cols-[minmax(0,1fr)_31rem]">
      <div className="flex min-h-0 flex-col">
        {viewer}
        {!isTimeless && (
          <Transport
            reel={reel}
            playhead={playhead}
            marks={marks}
            actions={marking}
            onSelect={addSelect}
            {...(onAddToCut ? { onAddToCut: addToCut } : {})}
            onPreviousShot={() => toShot(-1)}
            onNextShot={() => toShot(1)}
          />
        )}
      </div>
      {!isTimeless && (
        <div className="min-w-0 min-[900px]:col-span-2 min-[900px]:row-start-2">
          <Timeline
            reel={reel}
            playhead={playhead}
            data={data}
            marks={marks}
            filled={filled}
            comments={comments}
            summary={summaryOf(findings, shots.length)}
            snapTo={(frame, reach) => (isSnapping ? nearest(cuts, frame, reach) : frame)}
            isSnapping={isSnapping}
            onSnap={() => setSnapping(!isSnapping)}
            onHelp={() => setHelpOpen(true)}
            zooming={zooming}
          />
        </div>
      )}
      <div className="flex min-h-0 flex-col border-line bg-panel max-[900px]:border-t min-[900px]:col-start-2 min-[900px]:row-start-1 min-[900px]:border-l">
        {lists}
        <CorrectionsBar
          state={corrections}
          unmatched={unmatched}
          clock={reel}
          playhead={playhead}
        />
        {!isTimeless && (
          <QuickExports
            jobId={job.id}
            state={state}
            corrections={corrections}
            reel={reel}
            hasComments={comments.length > 0}
          />
        )}
      </div>
      {question && (
        <SpeakerQuestionDialog
          question={question}
          found={found}
          state={corrections}
          project={project}
          onClose={() => setQuestion(null)}
        />
      )}
      {corrections.conflicts.length > 0 && (
        <ConflictDialog
          key={corrections.conflicts.map((conflict) => conflict.key).join()}
          conflicts={corrections.conflicts}
          clock={reel}
          onDecide={corrections.decide}
        />
      )}
      {isHelpOpen && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

const noLines: readonly TextLine[] = []

/** The two files that editors take most, without a dialog: of the selects, once there are any. */
function QuickExports({
  jobId,
  state,
  corrections,
  reel,
  hasComments,
}: {
  jobId: string
  state: ReviewState
  corrections: CorrectionState
  reel: Reel
  hasComments: boolean
}) {
  const { selects } = state.review
  const hasSelects = selects.length > 0
  if (!state.isLoaded) return null
  const run = async (format: string) => {
    if (!(await saveFirst('Not exported', state, corrections))) return
    await downloadExport(jobId, {
      format,
      ...(hasSelects ? { which: 'selects' } : {}),
      ...(hasComments ? { comments: 'true' } : {}),
    })
  }
  const holding = hasSelects ? 'of your selects' : 'of everything found'
  return (
    <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
      <p className="grow text-ink-3">
        {counted(selects.length, 'select')}
        {' · '}
        {hasSelects ? (
          <span className="timecode">{reel.length(selects.map(framesOf))}</span>
        ) : (
          'export everything'
        )}
      </p>
      {(['edl', 'fcpxml'] as const).map((format) => (
        <Button
          key={format}
          title={`${format.toUpperCase()} ${holding}`}
          onClick={() => void run(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </footer>
  )
}

interface Size {
  width: number | null
  height: number | null
}

function ratioOf(proxy: Size | null | undefined, media: Media) {
  const { width, height } = proxy ?? media
  return width && height ? width / height : 16 / 9
}

function summaryOf(findings: Partial<Findings>, shots: number): string {
  const parts: string[] = []
  if (findings.shots) parts.push(counted(shots, 'shot'))
  if (findings.cutpoints) parts.push(counted(findings.cutpoints.points.length, 'cut point'))
  if (findings.talking) {
    const seconds = findings.talking.speech.reduce((sum, span) => sum + span.end - span.start, 0)
    parts.push(seconds > 0 ? `${duration(Math.round(seconds))} speech` : 'no speech')
    const delay = findings.talking.sound_delay_seconds
    if (typeof delay === 'number') parts.push(soundDelayText(delay))
  }
  return parts.join(' · ')
}
