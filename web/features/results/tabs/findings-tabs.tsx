import { useEffect } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { ExtractorId } from '../../../../contract/catalogue.ts'
import type { Findings, Media } from '../../../../contract/findings.ts'
import type { Job } from '../../../../contract/jobs.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Tab } from '../../../ui/tabs.tsx'
import type { Correcting } from '../corrections/correcting.ts'
import { CutpointsTab } from './cutpoints-tab.tsx'
import type { ShotRange } from '../review/cuts.ts'
import { DocumentText } from './document-text.tsx'
import { JsonTab } from './json-tab.tsx'
import { MetadataTab } from './metadata-tab.tsx'
import type { Playhead } from '../viewer/playhead.ts'
import type { Reel } from '../viewer/reel.ts'
import type { ReviewState } from '../review/review-state.ts'
import { SelectsTab } from '../review/selects-tab.tsx'
import type { AddedRange } from '../review/selects-tab.tsx'
import { ShotsTab } from './shots-tab.tsx'
import { TalkingTab } from './talking-tab.tsx'
import { TextTab } from './text-tab.tsx'
import { isHeardInParts, TranscriptSoFar } from './transcript-so-far.tsx'
import { TranscriptTab } from './transcript-tab.tsx'

/** The viewer draws boxes around text while this tab is shown. */
export const screenTextId = 'screen-text'

interface Shown {
  onAddToCut?: (ranges: readonly AddedRange[]) => void
  job: Job
  findings: Partial<Findings>
  media: Media
  state: ReviewState
  shots: readonly ShotRange[]
  reel: Reel
  playhead: Playhead
  find: RefObject<HTMLInputElement | null>
  /** Words of the transcript were selected. */
  onPassage: (passage: { startFrame: number; endFrame: number }) => void
  /** Where a search hit lies; of a document, its page. */
  startFrame: number
  address: (name: string) => string | undefined
  /** Null where nothing can be corrected. */
  correcting: Correcting | null
  correctHere: RefObject<(() => void) | null>
  /** What people wrote on shared links of this review. */
  comments: { count: number; list: ReactNode } | null
}

/** What was found as lists, each with its count, and what a person makes of it. */
export function FindingsTabs({
  chosen,
  onChoose,
  onShown,
  ...of
}: Shown & {
  /** The tab that was chosen, if one was. */
  chosen: string
  onChoose: (tab: string) => void
  /** Hears which tab is shown, chosen or the first. */
  onShown: (tab: string) => void
}) {
  const tabs = [
    documentTab(of),
    transcriptTab(of),
    shotsTab(of),
    talkingTab(of),
    cutpointsTab(of),
    screenTextTab(of),
    selectsTab(of),
    of.comments && of.comments.count > 0
      ? tab('comments', 'Comments', of.comments.list, of.comments.count)
      : null,
    tab('metadata', 'Metadata', <MetadataTab media={of.media} ffprobe={of.findings.ffprobe} />),
    tab('json', 'JSON', <JsonTab jobId={of.job.id} findings={of.findings} />),
  ].filter((one) => one !== null)
  const isThere = tabs.some(({ id }) => id === chosen)
  const shown = isThere ? chosen : tabs[0]?.id
  useEffect(() => onShown(shown ?? ''), [shown, onShown])
  return <Tabs label="Findings" tabs={tabs} value={shown} onChange={onChoose} />
}

function tab(id: string, label: string, content: ReactNode, count?: number): Tab {
  return { id, label, count, content: <div className="p-3">{content}</div> }
}

function Loading() {
  return (
    <p role="status" className="p-8 text-center text-ink-3">
      Loading…
    </p>
  )
}

/** A tab is there from the start, so that what is being read stays where it is when others land. */
function comingTab(shown: Shown, extractor: ExtractorId, id: string, label: string, what: string) {
  const run = shown.job.extractors.find((item) => item.id === extractor)
  if (!run || run.status === 'failed' || run.status === 'skipped') return null
  // What has finished was found; its findings are only on their way.
  const isFinished = run.status === 'done' || run.status === 'reused'
  return tab(
    id,
    label,
    isFinished ? (
      <Loading />
    ) : (
      <EmptyState title="Not finished yet">
        {what} will appear here when the extractor finishes.
      </EmptyState>
    ),
  )
}

function documentTab({ findings, startFrame }: Shown): Tab | null {
  const pages = findings.ffprobe?.document?.text ?? []
  return pages.length > 0
    ? tab('text', 'Text', <DocumentText pages={pages} at={startFrame} />)
    : null
}

function transcriptTab(shown: Shown): Tab | null {
  const { transcription } = shown.findings
  if (!transcription && isHeardInParts(shown.job)) {
    const content = <TranscriptSoFar job={shown.job} reel={shown.reel} />
    return tab('transcript', 'Transcript', content)
  }
  if (!transcription) {
    return comingTab(shown, 'transcription', 'transcript', 'Transcript', 'What is said')
  }
  const { reel, playhead, find, onPassage } = shown
  return tab(
    'transcript',
    'Transcript',
    <TranscriptTab
      transcript={transcription}
      reel={reel}
      playhead={playhead}
      find={find}
      onPassage={onPassage}
      correcting={shown.correcting}
      correctHere={shown.correctHere}
    />,
  )
}

function shotsTab(shown: Shown): Tab | null {
  const { findings, state } = shown
  if (!findings.shots) return comingTab(shown, 'shots', 'shots', 'Shots', 'Every shot')
  return tab(
    'shots',
    'Shots',
    <ShotsTab
      found={findings.shots}
      shots={shown.shots}
      stills={findings.thumbnail?.stills ?? []}
      sprite={findings.thumbnail?.sprite}
      reel={shown.reel}
      playhead={shown.playhead}
      threshold={state.review.shot_threshold}
      onThreshold={state.setThreshold}
      onSelect={state.addSelect}
      onAddToCut={shown.onAddToCut}
      address={shown.address}
      correcting={shown.correcting}
    />,
    shown.shots.length,
  )
}

function talkingTab(shown: Shown): Tab | null {
  const found = shown.findings.talking
  if (!found)
    return comingTab(shown, 'talking', 'talking', 'Talking', 'Who is seen and heard talking')
  return tab(
    'talking',
    'Talking',
    <TalkingTab
      found={found}
      reel={shown.reel}
      playhead={shown.playhead}
      onSelect={shown.state.addSelect}
      onSpeaker={
        shown.correcting
          ? (speaker) => shown.correcting?.askSpeaker({ speaker, passage: null })
          : undefined
      }
    />,
    found.talking.length + found.lip_flap.length + found.voice_only.length,
  )
}

function cutpointsTab(shown: Shown): Tab | null {
  const found = shown.findings.cutpoints
  if (!found) {
    return comingTab(shown, 'cutpoints', 'cutpoints', 'Cut points', 'Every frame where a cut works')
  }
  return tab(
    'cutpoints',
    'Cut points',
    <CutpointsTab
      found={found}
      words={shown.findings.transcription?.words}
      review={shown.state.review}
      reel={shown.reel}
      playhead={shown.playhead}
      onDecide={shown.state.decide}
      onTighten={shown.state.setTighten}
    />,
    found.points.length,
  )
}

function screenTextTab(shown: Shown): Tab | null {
  const found = shown.findings.text
  if (!found) return comingTab(shown, 'text', screenTextId, 'On-screen text', 'What can be read')
  return tab(
    screenTextId,
    'On-screen text',
    <TextTab
      found={found}
      job={shown.job}
      reel={shown.reel}
      playhead={shown.playhead}
      onSelect={shown.state.addSelect}
    />,
    found.lines.length,
  )
}

function selectsTab({ media, state, reel, playhead, onAddToCut }: Shown): Tab | null {
  if (media.kind === 'document' || media.kind === 'image') return null
  if (!state.isLoaded) return tab('selects', 'Selects', <Loading />)
  return tab(
    'selects',
    'Selects',
    <SelectsTab
      selects={state.review.selects}
      reel={reel}
      playhead={playhead}
      onChange={state.changeSelect}
      onRemove={state.removeSelect}
      {...(onAddToCut ? { onAddToCut } : {})}
    />,
    state.review.selects.length,
  )
}
