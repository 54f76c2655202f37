import type { ReactNode, RefObject } from 'react'
import type { ExtractorId } from '../../../contract/catalogue.ts'
import type { Findings, Media } from '../../../contract/findings.ts'
import type { Job } from '../../../contract/jobs.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Tab } from '../../ui/tabs.tsx'
import { CutpointsTab } from './cutpoints-tab.tsx'
import type { ShotRange } from './cuts.ts'
import { DocumentText } from './document-text.tsx'
import { JsonTab } from './json-tab.tsx'
import { MetadataTab } from './metadata-tab.tsx'
import type { Playhead } from './playhead.ts'
import type { Reel } from './reel.ts'
import type { ReviewState } from './review-state.ts'
import { SelectsTab } from './selects-tab.tsx'
import { ShotsTab } from './shots-tab.tsx'
import { TranscriptTab } from './transcript-tab.tsx'

/** What was found as lists, each with its count, and what a person makes of it. */
export function FindingsTabs(of: {
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
  /** The tab that was chosen, if one was. */
  shown: string
  onShow: (tab: string) => void
  /** Where a search hit lies; of a document, its page. */
  startFrame: number
  address: (name: string) => string | undefined
}) {
  const { findings, state, reel, playhead } = of
  const tab = (id: string, label: string, content: ReactNode, count?: number): Tab => ({
    id,
    label,
    count,
    content: <div className="p-3">{content}</div>,
  })
  const tabs: Tab[] = []
  // A tab is there from the start, so that what is being read stays where it is when others land.
  const isComing = (id: ExtractorId) =>
    of.job.extractors.some(
      (item) => item.id === id && item.status !== 'failed' && item.status !== 'skipped',
    )
  const pages = findings.ffprobe?.document?.text ?? []
  if (pages.length > 0) {
    tabs.push(tab('text', 'Text', <DocumentText pages={pages} at={of.startFrame} />))
  }
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
          onPassage={of.onPassage}
        />,
      ),
    )
  } else if (isComing('transcription')) {
    tabs.push(tab('transcript', 'Transcript', <Coming>What is said</Coming>))
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
          sprite={findings.thumbnail?.sprite}
          reel={reel}
          playhead={playhead}
          threshold={state.review.shot_threshold}
          onThreshold={state.setThreshold}
          address={of.address}
        />,
        of.shots.length,
      ),
    )
  } else if (isComing('shots')) tabs.push(tab('shots', 'Shots', <Coming>Every shot</Coming>))
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
  } else if (isComing('cutpoints')) {
    tabs.push(tab('cutpoints', 'Cut points', <Coming>Frames where a cut works</Coming>))
  }
  if (of.media.kind !== 'document') {
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
    )
  }
  tabs.push(
    tab('metadata', 'Metadata', <MetadataTab media={of.media} ffprobe={findings.ffprobe} />),
    tab('json', 'JSON', <JsonTab jobId={of.job.id} findings={findings} />),
  )
  const shown = tabs.some(({ id }) => id === of.shown) ? of.shown : tabs[0]?.id
  return <Tabs label="Findings" tabs={tabs} value={shown} onChange={of.onShow} />
}

function Coming({ children }: { children: string }) {
  return (
    <EmptyState title="Not finished yet">
      {children} will be here as soon as the extractor has finished.
    </EmptyState>
  )
}
