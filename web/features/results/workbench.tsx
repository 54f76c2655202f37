/** The review of a clip: viewer, lanes and lists that move together. */
import { useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { toggleFullScreen } from '../../dom/full-screen.ts'
import { ShortcutsDialog, useShortcuts } from '../../keys/shortcuts.tsx'
import { showToast } from '../../ui/toast.tsx'
import { ConflictDialog } from './corrections/conflict-dialog.tsx'
import type { SpeakerQuestion } from './corrections/save-corrections.ts'
import { CorrectionsBar } from './corrections/corrections-bar.tsx'
import { correctShot } from './corrections/shot-menu.tsx'
import { SpeakerQuestionDialog } from './corrections/speaker-question.tsx'
import { QuickExports } from './quick-exports.tsx'
import { neighbour } from './review/cuts.ts'
import { useMarking } from './review/marking.ts'
import type { Marking } from './review/marking.ts'
import { shortcutList } from './review/shortcut-list.ts'
import { FindingsTabs, screenTextId } from './tabs/findings-tabs.tsx'
import { Timeline } from './timeline/timeline.tsx'
import type { Zoom } from './timeline/timeline.tsx'
import { Transport } from './viewer/transport.tsx'
import { Viewer } from './viewer/viewer.tsx'
import { useOpenWorkbench, useWorkbench, WorkbenchContext } from './workbench-context.ts'
import type { Workbench as OpenWorkbench, WorkbenchInput } from './workbench-context.ts'

export function Workbench(input: WorkbenchInput) {
  const [question, setQuestion] = useState<SpeakerQuestion | null>(null)
  const workbench = useOpenWorkbench(input, setQuestion)
  const { corrections, reel } = workbench
  return (
    <WorkbenchContext value={workbench}>
      <Parts />
      {question && <SpeakerQuestionDialog question={question} onClose={() => setQuestion(null)} />}
      {corrections.conflicts.length > 0 && (
        <ConflictDialog
          key={corrections.conflicts.map((conflict) => conflict.key).join()}
          conflicts={corrections.conflicts}
          clock={reel}
          onDecide={corrections.decide}
        />
      )}
    </WorkbenchContext>
  )
}

function Parts() {
  const workbench = useWorkbench()
  const { media, page } = workbench
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [isSnapping, setSnapping] = useState(true)
  const jumps = useJumps(workbench)
  const marking = useMarking(workbench, isSnapping ? jumps.snapFrames : [])
  const tabs = useTabChoice()
  const zooming = useRef<(direction: Zoom) => void>(null)
  const frame = useRef<HTMLDivElement>(null)
  const snap = () => setSnapping(!isSnapping)
  const help = () => setHelpOpen(true)
  const shortcuts = useReviewKeys(workbench, {
    ...jumps,
    marking,
    tabs,
    snap,
    help,
    zoom: (direction) => zooming.current?.(direction),
    fullScreen: () => toggleFullScreen(frame.current),
  })
  const lists = (
    <FindingsTabs
      find={tabs.find}
      onPassage={marking.markPassage}
      chosen={tabs.chosen}
      onChoose={tabs.choose}
      onShown={tabs.setShown}
      correctHere={tabs.correctHere}
    />
  )
  const isTimeless = media.kind === 'document' || media.kind === 'image'
  return (
    <div className={media.kind === 'document' ? documentGrid : mediaGrid}>
      {media.kind !== 'document' && (
        <div className="flex min-h-0 flex-col min-[900px]:col-start-1 min-[900px]:row-start-1 min-[1100px]:col-start-2">
          <Viewer hasTextBoxes={tabs.shown === screenTextId} frame={frame} />
        </div>
      )}
      {!isTimeless && (
        <div className="min-w-0 min-[900px]:col-start-1 min-[900px]:row-start-2 min-[1100px]:col-span-2">
          <Transport marking={marking} onShot={jumps.toShot} />
        </div>
      )}
      {page.rail}
      {!isTimeless && (
        <div className="min-w-0 min-[900px]:col-span-full min-[900px]:row-start-4">
          <Timeline
            marks={marking.marks}
            snapFrames={isSnapping ? jumps.snapFrames : null}
            onSnap={snap}
            onHelp={help}
            zooming={zooming}
          />
        </div>
      )}
      <div className="flex min-h-0 flex-col border-line bg-panel max-[900px]:border-t min-[900px]:-col-end-1 min-[900px]:row-span-3 min-[900px]:row-start-1 min-[900px]:border-l">
        {lists}
        <CorrectionsBar />
        {!isTimeless && <QuickExports />}
      </div>
      {isHelpOpen && <ShortcutsDialog shortcuts={shortcuts} onClose={() => setHelpOpen(false)} />}
    </div>
  )
}

const mediaGrid =
  'grid min-h-0 grow grid-cols-[minmax(0,1fr)] min-[900px]:grid-cols-[minmax(0,1fr)_26.5rem] min-[900px]:grid-rows-[minmax(0,1fr)_auto_auto_auto] min-[1100px]:grid-cols-[13.5rem_minmax(0,1fr)_26.5rem] xl:grid-cols-[13.5rem_minmax(0,1fr)_28rem] min-[1400px]:grid-cols-[13.5rem_minmax(0,1fr)_30rem]'
const documentGrid =
  'flex min-h-0 grow flex-col min-[1100px]:grid min-[1100px]:grid-cols-[13.5rem_minmax(0,1fr)]'

interface Jumps {
  snapFrames: readonly number[]
  toShot: (direction: 1 | -1) => void
  toCutPoint: (direction: 1 | -1) => void
}

function useJumps({ shots, data, playhead }: OpenWorkbench): Jumps {
  const starts = useMemo(() => shots.map((shot) => shot.startFrame), [shots])
  const cutPoints = useMemo(() => data.cutPoints.map((point) => point.frame), [data.cutPoints])
  const snapFrames = useMemo(() => [...starts, ...cutPoints], [starts, cutPoints])
  const goTo = (frames: readonly number[], direction: 1 | -1) => {
    const to = neighbour(frames, playhead.frame(), direction)
    if (to !== null) playhead.seek(to)
  }
  return {
    snapFrames,
    toShot: (direction) => goTo(starts, direction),
    toCutPoint: (direction) => goTo(cutPoints, direction),
  }
}

interface TabChoice {
  chosen: string
  choose: (tab: string) => void
  /** The tab on the screen, chosen or the first. */
  shown: string
  setShown: (tab: string) => void
  find: RefObject<HTMLInputElement | null>
  correctHere: RefObject<(() => void) | null>
}

function useTabChoice(): TabChoice {
  const [chosen, choose] = useState('')
  const [shown, setShown] = useState('')
  const find = useRef<HTMLInputElement>(null)
  const correctHere = useRef<() => void>(null)
  return { chosen, choose, shown, setShown, find, correctHere }
}

function useReviewKeys(
  { media, page, reel, playhead, shots, state, corrections, correcting, onExport }: OpenWorkbench,
  parts: Jumps & {
    marking: Marking
    tabs: TabChoice
    snap: () => void
    help: () => void
    zoom: (direction: Zoom) => void
    fullScreen: () => void
  },
) {
  const { marking, tabs, ...others } = parts
  // The transcript is drawn with its tab, and takes the keyboard only then.
  const showTranscript = () => flushSync(() => tabs.choose('transcript'))
  const correct = (action: 'split' | 'merge') => () =>
    correcting && correctShot(correcting, shots, playhead.frame(), action)
  const shortcuts = shortcutList(reel, playhead, {
    ...others,
    ...marking,
    undo: () => (corrections.undoAt() > state.undoAt() ? corrections : state).undo(),
    redo: () => (corrections.redoAt() > state.redoAt() ? corrections : state).redo(),
    correctWords() {
      showTranscript()
      tabs.correctHere.current?.()
    },
    splitShot: correct('split'),
    mergeShot: correct('merge'),
    export: onExport,
    find() {
      showTranscript()
      if (tabs.find.current) return tabs.find.current.focus()
      const message = 'Run Transcription to search it.'
      showToast({ type: 'info', title: 'No transcript', message })
      return undefined
    },
  })
  const all = [...shortcuts, ...page.keys]
  // A document and a still have nothing to play and nothing on a timeline.
  const isTimeless = media.kind === 'document' || media.kind === 'image'
  const still = all.filter(
    ({ keys }) => keys.includes('e') || page.keys.some((own) => own.keys === keys),
  )
  useShortcuts(isTimeless ? still : all)
  return all
}
