import { Copy, EyeOff, GripVertical, Scissors, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import type { MouseEvent, PointerEvent } from 'react'
import { extractors } from '../../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../../domain/money/money.ts'
import type { CutPassage } from '../../../../domain/cuts/cut-text.ts'
import type { CutRange } from '../../../../domain/cuts/cut.ts'
import type { CutSource } from '../../../../contract/footage/cuts.ts'
import { Button } from '../../../ui/button.tsx'
import { offsetUnder } from '../../../dom/caret.ts'
import { classes } from '../../../ui/classes.ts'
import { useCut } from '../cut-context.ts'
import { isPassage } from '../passage-drag.ts'
import { lengthText } from '../length-text.ts'
import { StillTile } from '../still-tile.tsx'
import { layOutPassage, wordsBetween } from './passage-words.ts'
import { RangeWords } from './range-words.tsx'
import { TrimFields } from './trim-fields.tsx'

/** One speaker in one range: handle, still with its time in the cut, and the words. */
export function PassageRow({ passage }: { passage: CutPassage }) {
  const { state, view, actions } = useCut()
  const number = passage.rangeIndex + 1
  const range = state.cut.ranges[passage.rangeIndex]
  const isCurrent = actions.currentId === passage.rangeId
  const shown = useMemo(
    () => layOutPassage(passage, actions.isShowingRemoved),
    [passage, actions.isShowingRemoved],
  )
  const source = view.sources.get(passage.contentId)
  const isKnown = source !== undefined
  const drag = (event: PointerEvent, slow?: 'slow') =>
    actions.drag.start(event, { kind: 'passage', passage }, slow)
  const jump = (event: MouseEvent) => {
    actions.choose(passage.rangeId)
    if (!getSelection()?.isCollapsed) return
    const offset = offsetUnder(event)
    const [word] = offset === null ? [] : wordsBetween(shown, { from: offset, to: offset })
    actions.goToSource(passage.rangeId, word?.in ?? passage.in)
  }
  return (
    <article
      data-passage={passage.rangeId}
      data-range={passage.rangeIndex}
      aria-current={isCurrent || undefined}
      aria-label={`Clip ${number}, ${passage.clipName}`}
      className={classes(
        'relative grid grid-cols-[14px_80px_minmax(0,1fr)] gap-x-3 border-l-2 py-2 pr-6 pl-3.5 max-sm:pr-3 max-sm:pl-2',
        // Amber marks the playhead, cyan the range that the keys act on.
        'data-playing:border-playhead',
        isCurrent ? 'border-brand' : 'border-transparent',
        isCurrent && !passage.disabled && 'bg-panel',
        passage.disabled && 'bg-raised',
        isPassage(actions.drag.dragged, passage) && 'opacity-40',
        passage.offline && isKnown && 'hatched',
      )}
    >
      <button
        type="button"
        aria-label={`Move clip ${number}. Alt with the up or down arrow moves it.`}
        title="Drag to move (Alt ↑, Alt ↓)"
        onClick={() => actions.choose(passage.rangeId)}
        onPointerDown={(event) => drag(event)}
        className="-m-1 h-6 cursor-grab touch-none rounded-sm p-1 text-ink-3 hover:text-ink pointer-coarse:h-11"
      >
        <GripVertical size={14} aria-hidden className="-ml-1" />
      </button>
      {/* A finger that rests here drags the passage; on the words it selects. */}
      <div onPointerDown={(event) => drag(event, 'slow')} className="select-none">
        <Still passage={passage} source={source} />
      </div>
      <div className="min-w-0">
        <Facts passage={passage} isKnown={isKnown} />
        {!isCurrent && range && <Notes range={range} />}
        <Words
          passage={passage}
          shown={shown}
          isKnown={isKnown}
          hasText={view.hasText}
          seconds={source && !source.offline ? source.media.duration : 0}
          onClick={jump}
        />
        {isCurrent && range && isFirstOf(passage, range) && (
          <RangeTools range={range} source={source} />
        )}
      </div>
    </article>
  )
}

function Still({ passage, source }: { passage: CutPassage; source: CutSource | undefined }) {
  const { view, actions } = useCut()
  return (
    <>
      <StillTile
        source={source}
        frame={passage.in}
        className={classes('h-[45px] w-20', passage.disabled && 'opacity-40')}
        onClick={() => actions.goToSource(passage.rangeId, passage.in)}
      />
      <p className="timecode mt-1 text-xs text-ink-3">
        {passage.recordIn === null ? '· · ·' : view.time(passage.recordIn)}
      </p>
    </>
  )
}

function Notes({ range: { name, note } }: { range: CutRange }) {
  if (!name && !note) return null
  return (
    <p className="truncate text-xs text-ink-2">
      {name}
      {note && <span className="text-ink-3"> {note}</span>}
    </p>
  )
}

function Facts({ passage, isKnown }: { passage: CutPassage; isKnown: boolean }) {
  const { view } = useCut()
  return (
    <p className="flex items-baseline gap-2 text-xs text-ink-3">
      {passage.speaker && (
        <span className="font-medium whitespace-nowrap text-(--tertiary-700) dark:text-(--tertiary-300)">
          {passage.speaker}
        </span>
      )}
      <span dir="auto" className="truncate text-ink-2">
        {passage.clipName}
      </span>
      <span className="timecode whitespace-nowrap max-sm:hidden">
        {view.sourceTime(passage.contentId, passage.in)}
      </span>
      <span className="grow" />
      {passage.disabled && <span className="font-medium text-warn">off</span>}
      {passage.offline && isKnown && <span className="font-medium text-warn">source missing</span>}
      <span className="figures whitespace-nowrap">
        {lengthText(passage.recordFrames / view.framesPerSecond)}
      </span>
    </p>
  )
}

function RangeTools({ range, source }: { range: CutRange; source: CutSource | undefined }) {
  const { actions } = useCut()
  const { id } = range
  const tools = [
    { Icon: Scissors, label: 'Split', run: actions.split },
    { Icon: Copy, label: 'Duplicate', run: () => actions.duplicate(id) },
    {
      Icon: EyeOff,
      label: range.disabled ? 'Switch on' : 'Switch off',
      run: () => actions.toggleOff(id),
    },
    { Icon: Trash2, label: 'Remove', run: () => actions.remove(id) },
  ]
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
      <RangeWords range={range} onDescribe={actions.describe} />
      <TrimFields range={range} source={source} onTrim={actions.trim} />
      <span className="grow" />
      {tools.map(({ Icon, label, run }) => (
        <Button key={label} look="quiet" onClick={run}>
          <Icon size={13} aria-hidden /> {label}
        </Button>
      ))}
    </div>
  )
}

function Words({
  passage,
  shown,
  isKnown,
  hasText,
  seconds,
  onClick,
}: {
  passage: CutPassage
  shown: ReturnType<typeof layOutPassage>
  isKnown: boolean
  hasText: boolean
  /** Duration of the whole clip, for which a transcription is charged; 0: none can be bought. */
  seconds: number
  onClick: (event: MouseEvent) => void
}) {
  const note = noteOf(passage, { isKnown, hasText, seconds })
  if (note) {
    return (
      <button
        type="button"
        onClick={onClick}
        className="block rounded-sm text-left text-ink-3 italic"
      >
        {note}
      </button>
    )
  }
  return (
    // The buttons beside it are the keyboard's way; clicking a word is the pointer's.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions, jsx-a11y/no-noninteractive-element-interactions
    <p data-words dir="auto" onClick={onClick} className="cursor-text text-[15px]/[25px]">
      {shown.runs.map((run) =>
        run.struck ? (
          <s key={run.from} className="text-ink-3">
            {run.text}
          </s>
        ) : (
          <span key={run.from}>{run.text}</span>
        ),
      )}
    </p>
  )
}

function noteOf(
  passage: CutPassage,
  { isKnown, hasText, seconds }: { isKnown: boolean; hasText: boolean; seconds: number },
): string | null {
  if (passage.words.length > 0) return null
  if (!isKnown || !hasText) return 'Loading…'
  if (!passage.transcribed) return `Not transcribed${seconds > 0 ? ` · ${priceOf(seconds)}` : ''}`
  return 'No speech'
}

function priceOf(seconds: number): string {
  const { microsPerSecond } = extractors.find(({ id }) => id === 'transcription')!
  return formatUsd(Math.ceil(seconds) * microsPerSecond, 2)
}

/** The tools of a range stand at its first passage. */
function isFirstOf(passage: CutPassage, range: CutRange): boolean {
  return passage.in === range.in
}
