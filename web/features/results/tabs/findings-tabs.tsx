import { useEffect } from 'react'
import type { ReactNode, RefObject } from 'react'
import type { ExtractorId } from '../../../../domain/money/catalogue.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import type { Tab } from '../../../ui/tabs.tsx'
import { CutpointsTab } from './cutpoints-tab.tsx'
import { DocumentText } from './document-text.tsx'
import { JsonTab } from './json-tab.tsx'
import { MetadataTab } from './metadata-tab.tsx'
import { SelectsTab } from '../review/selects-tab.tsx'
import { useWorkbench } from '../workbench-context.ts'
import type { Workbench } from '../workbench-context.ts'
import { ShotsTab } from './shots-tab.tsx'
import { TalkingTab } from './talking-tab.tsx'
import { TextTab } from './text-tab.tsx'
import { isHeardInParts, TranscriptSoFar } from './transcript-so-far.tsx'
import { TranscriptTab } from './transcript-tab.tsx'

/** The viewer draws boxes around text while this tab is shown. */
export const screenTextId = 'screen-text'

interface Props {
  find: RefObject<HTMLInputElement | null>
  /** Words of the transcript were selected. */
  onPassage: (passage: { startFrame: number; endFrame: number }) => void
  correctHere: RefObject<(() => void) | null>
}

/** The findings as lists, each with its count, and what a person makes of them. */
export function FindingsTabs({
  chosen,
  onChoose,
  onShown,
  ...props
}: Props & {
  chosen: string
  onChoose: (tab: string) => void
  /** Hears which tab is shown, chosen or the first. */
  onShown: (tab: string) => void
}) {
  const workbench = useWorkbench()
  const { job, media, findings, comments, commentList, playhead, reel } = workbench
  const tabs = [
    documentTab(workbench),
    transcriptTab(workbench, props),
    shotsTab(workbench),
    talkingTab(workbench),
    cutpointsTab(workbench),
    screenTextTab(workbench),
    selectsTab(workbench),
    comments.length > 0
      ? tab('comments', 'Comments', commentList(playhead, reel.timecode), comments.length)
      : null,
    tab('metadata', 'Metadata', <MetadataTab media={media} ffprobe={findings.ffprobe} />),
    job && tab('json', 'JSON', <JsonTab jobId={job.id} findings={findings} />),
  ].filter((item) => item !== null)
  const isThere = tabs.some(({ id }) => id === chosen)
  const first = tabs.find(({ count }) => count !== none) ?? tabs[0]
  const shown = isThere ? chosen : first?.id
  useEffect(() => onShown(shown ?? ''), [shown, onShown])
  return <Tabs label="Findings" tabs={tabs} value={shown} onChange={onChoose} />
}

/** The count of a tab that was looked for and holds nothing; the page does not open on it. */
const none = 'none'

function tab(id: string, label: string, content: ReactNode, count?: number): Tab {
  const isNone = count === 0 && id !== 'selects'
  return { id, label, count: isNone ? none : count, content: <div className="p-3">{content}</div> }
}

function Loading() {
  return (
    <p role="status" className="p-8 text-center text-ink-3">
      Loading…
    </p>
  )
}

/** A tab is there from the start, so that others do not move it when they land. */
function comingTab(
  { job }: Workbench,
  extractor: ExtractorId,
  [id, label]: readonly [id: string, label: string],
  subject: string,
) {
  const run = job?.extractors.find((item) => item.id === extractor)
  if (!run || run.status === 'failed' || run.status === 'skipped') return null
  // The findings of a finished extractor are only on their way.
  const isFinished = run.status === 'done' || run.status === 'reused'
  return tab(
    id,
    label,
    isFinished ? (
      <Loading />
    ) : (
      <EmptyState title="Not finished yet">
        {subject} will appear here when the extractor finishes.
      </EmptyState>
    ),
  )
}

function documentTab({ findings, startAt }: Workbench): Tab | null {
  const pages = findings.ffprobe?.document?.text ?? []
  return pages.length > 0 ? tab('text', 'Text', <DocumentText pages={pages} at={startAt} />) : null
}

function transcriptTab(workbench: Workbench, props: Props): Tab | null {
  const { job, reel, findings } = workbench
  const name = ['transcript', 'Transcript'] as const
  if (findings.transcription) {
    const list = <TranscriptTab transcript={findings.transcription} {...props} />
    return tab(...name, list, findings.transcription.words.length === 0 ? 0 : undefined)
  }
  if (isHeardInParts(job)) return tab(...name, <TranscriptSoFar job={job} reel={reel} />)
  return comingTab(workbench, 'transcription', name, 'What is said')
}

function shotsTab(workbench: Workbench): Tab | null {
  const name = ['shots', 'Shots'] as const
  const { shots } = workbench.findings
  if (!shots) return comingTab(workbench, 'shots', name, 'Every shot')
  return tab(...name, <ShotsTab detected={shots} />, workbench.shots.length)
}

function talkingTab(workbench: Workbench): Tab | null {
  const name = ['talking', 'Talking'] as const
  const { talking } = workbench.findings
  if (!talking) return comingTab(workbench, 'talking', name, 'Who is seen and heard talking')
  const count = talking.talking.length + talking.lip_flap.length + talking.voice_only.length
  return tab(...name, <TalkingTab talking={talking} />, count)
}

function cutpointsTab(workbench: Workbench): Tab | null {
  const name = ['cutpoints', 'Cut points'] as const
  const { cutpoints } = workbench.findings
  if (!cutpoints) return comingTab(workbench, 'cutpoints', name, 'Every frame where a cut works')
  return tab(...name, <CutpointsTab cutpoints={cutpoints} />, cutpoints.points.length)
}

function screenTextTab(workbench: Workbench): Tab | null {
  const name = [screenTextId, 'On-screen text'] as const
  const { text } = workbench.findings
  if (!text) return comingTab(workbench, 'text', name, 'What can be read')
  return tab(...name, <TextTab text={text} />, text.lines.length)
}

function selectsTab({ media, state }: Workbench): Tab | null {
  if (media.kind === 'document' || media.kind === 'image') return null
  if (!state.isLoaded) return tab('selects', 'Selects', <Loading />)
  return tab('selects', 'Selects', <SelectsTab />, state.review.selects.length)
}
