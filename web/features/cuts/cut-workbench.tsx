/** The cut screen: text, viewer with its sources, and the strip, which move together. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PanelBottomOpen } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { eventAt } from '../../../contract/cut-times.ts'
import type { Cut, CutSource } from '../../../contract/cuts.ts'
import type { SearchHit } from '../../../contract/search.ts'
import { api } from '../../app/api.ts'
import { isRenewalDue, noteAddresses, renewEveryMs } from '../../app/keep-addresses.ts'
import { keys } from '../../app/queries.ts'
import { saveFirst } from '../../app/save-first.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toggleFullScreen } from '../../ui/full-screen.ts'
import { useNarrow } from '../../ui/narrow.ts'
import { ShortcutsDialog, useShortcuts } from '../../ui/shortcuts.tsx'
import { useCutActions } from './cut-actions.ts'
import type { CutActions } from './cut-actions.ts'
import {
  ConflictBar,
  CutSettingsDialog,
  DeleteCutDialog,
  OtherRateBar,
  VersionsDialog,
} from './cut-dialogs.tsx'
import { CutExportDialog } from './cut-export-dialog.tsx'
import { CutHeader } from './cut-header.tsx'
import { cutShortcuts } from './cut-shortcuts.ts'
import { useCutState } from './cut-state.ts'
import type { CutState } from './cut-state.ts'
import { useCutView, useCutWords } from './cut-view.ts'
import type { CutView } from './cut-view.ts'
import { useProjectOf } from './cut-list.ts'
import { createCutPlayer } from './player/cut-player.ts'
import type { CutPlayer } from './player/cut-player.ts'
import { CutTransport } from './player/cut-transport.tsx'
import { CutViewer } from './player/cut-viewer.tsx'
import { createDeck } from './player/deck.ts'
import type { Deck } from './player/deck.ts'
import { useHitPreview } from './player/hit-preview.ts'
import { useCommentsOf } from './share/comments-of.ts'
import { OwnerComments } from './share/owner-comments.tsx'
import { ShareDialog } from './share/share-dialog.tsx'
import { Split, useSplit } from './split.tsx'
import { SourcesPanel } from './sources-panel.tsx'
import { Strip, zoomInId, zoomOutId } from './strip/strip.tsx'
import { TextPane } from './text/text-pane.tsx'

type Open = 'settings' | 'versions' | 'delete' | 'help' | 'sources' | 'export' | 'share'

export function CutWorkbench({ opened }: { opened: { cut: Cut; sources: readonly CutSource[] } }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [deck] = useState(() => createDeck(createCutPlayer()))
  const state = useEditedCut(useCutState(opened), deck)
  const [shared] = useState({ cut_id: opened.cut.id })
  const words = useCutWords(state)
  const view = useCutView(state.cut, state.sources, words)
  const actions = useCutActions(state, view, deck)
  const project = useProjectOf(state.cut.project_id)
  const screen = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const [panel, setPanel] = useState<'sources' | 'comments'>('sources')
  const comments = useCommentsOf(shared)
  const isNarrow = useNarrow()
  const split = useSplit()
  const preview = useHitPreview(deck, view.framesPerSecond)
  useEffect(() => deck.cut.load(view.program), [deck, view.program])
  useLivingAddresses(state, deck.player)
  const close = () => setOpen(null)
  const showSources = () => {
    if (isNarrow) setOpen('sources')
    requestAnimationFrame(() => document.getElementById('search-sources')?.focus())
  }
  const shortcuts = cutShortcuts({
    state,
    view,
    player: deck.player,
    actions,
    find: () => document.getElementById('find-in-cut')?.focus(),
    sources: showSources,
    leavePreview: deck.leave,
    zoom: (direction) => document.getElementById(direction > 0 ? zoomInId : zoomOutId)?.click(),
    help: () => setOpen('help'),
    export: () => setOpen('export'),
  })
  useShortcuts(shortcuts)
  useEffect(() => {
    document.title = `${state.cut.name} · CutIndex`
  }, [state.cut.name])
  const sources = (
    <SourcesPanel
      projectId={state.cut.project_id}
      projectName={project?.name ?? '…'}
      ranges={state.cut.ranges}
      actions={actions}
      onPreview={(hit) => void preview.start(hit)}
      {...(isNarrow ? { onClose: close } : {})}
    />
  )
  const threads = comments.filter((comment) => comment.reply_to === null).length
  const side = (
    <>
      {comments.length > 0 && (
        <div className="flex h-9 shrink-0 items-center gap-1 border-b border-line bg-panel px-2">
          {(['sources', 'comments'] as const).map((item) => (
            <Button
              key={item}
              look="quiet"
              aria-pressed={panel === item}
              onClick={() => setPanel(item)}
              className={panel === item ? 'bg-raised text-ink!' : ''}
            >
              {item === 'sources' ? 'Sources' : `Comments ${threads}`}
            </Button>
          ))}
        </div>
      )}
      {panel === 'comments' && comments.length > 0 ? (
        <div className="flex min-h-0 grow flex-col bg-panel">
          <OwnerComments comments={comments} player={deck.cut} time={view.time} />
        </div>
      ) : (
        sources
      )}
    </>
  )
  return (
    <div className="flex h-[calc(100dvh-49px)] min-h-160 flex-col max-sm:h-[calc(100dvh-93px)]">
      <h1 className="sr-only">{state.cut.name}</h1>
      <CutHeader
        state={state}
        view={view}
        project={project}
        onSettings={() => setOpen('settings')}
        onVersions={() => setOpen('versions')}
        onDelete={() => setOpen('delete')}
        onShare={() => setOpen('share')}
        onExport={() => setOpen('export')}
      />
      <OtherRateBar state={state} view={view} onSettings={() => setOpen('settings')} />
      <ConflictBar state={state} view={view} onOpenCopy={(id) => void navigate(`/cuts/${id}`)} />
      <div
        className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] max-[900px]:grid-rows-[auto_minmax(0,1fr)] min-[900px]:grid-cols-[minmax(0,1fr)_var(--right)]"
        style={split.style}
      >
        <div className="relative flex min-h-0 min-w-0 flex-col max-[900px]:order-last min-[900px]:border-r min-[900px]:border-line">
          <TextPane
            state={state}
            view={view}
            player={deck.cut}
            actions={actions}
            empty={
              <Empty projectId={state.cut.project_id} actions={actions} onSources={showSources} />
            }
          />
          <Split split={split} />
        </div>
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="h-[342px] shrink-0 bg-surround p-2 max-[900px]:h-auto max-[900px]:p-0 max-[900px]:aspect-video">
            <CutViewer
              player={deck.player}
              frame={screen}
              note={<MissingNote view={view} player={deck.cut} />}
              chip={<Chip view={view} player={deck.cut} preview={preview.hit} />}
            />
          </div>
          <CutTransport
            view={view}
            deck={deck}
            onSeam={actions.goToSeam}
            onFullScreen={() => toggleFullScreen(screen.current)}
          />
          {isNarrow ? null : side}
        </div>
      </div>
      <Strip state={state} view={view} player={deck.cut} actions={actions} comments={comments} />
      {isNarrow && (
        <Button
          look="primary"
          onClick={showSources}
          className="fixed right-3 bottom-16 z-20 shadow-float"
        >
          <PanelBottomOpen size={14} aria-hidden /> Sources
        </Button>
      )}
      {isNarrow && open === 'sources' && (
        <div className="fixed inset-x-0 bottom-0 z-30 flex h-[70dvh] flex-col rounded-t-lg border-t border-line bg-panel shadow-float">
          {side}
        </div>
      )}
      {open === 'settings' && <CutSettingsDialog state={state} onClose={close} />}
      {open === 'versions' && <VersionsDialog state={state} view={view} onClose={close} />}
      {open === 'delete' && (
        <DeleteCutDialog
          cut={state.cut}
          onClose={close}
          onDeleted={() => {
            void queries.invalidateQueries({ queryKey: keys.cuts })
            void navigate('/cuts')
          }}
        />
      )}
      {open === 'export' && (
        <CutExportDialog
          state={state}
          view={view}
          hasComments={comments.length > 0}
          onClose={close}
        />
      )}
      {open === 'share' && (
        <ShareDialog
          thing={{ cut_id: state.cut.id }}
          name={state.cut.name}
          beforeShare={() => saveFirst('No link made', state)}
          onClose={close}
        />
      )}
      {open === 'help' && <ShortcutsDialog shortcuts={shortcuts} onClose={close} />}
    </div>
  )
}

/** Every change of the cut ends the preview of a source first. */
function useEditedCut(state: CutState, deck: Deck): CutState {
  return useMemo(
    () => ({
      ...state,
      change: (next) => {
        deck.leave()
        return state.change(next)
      },
      undo: () => {
        deck.leave()
        state.undo()
      },
      redo: () => {
        deck.leave()
        state.redo()
      },
    }),
    [state, deck],
  )
}

/** Renew the addresses of media that is open for hours, as late as possible where it plays. */
function useLivingAddresses({ sources, renewAddresses }: CutState, player: CutPlayer): void {
  useEffect(() => {
    noteAddresses(sources, Date.now())
    const look = (): void => {
      const isPlaying = player.speed() !== 0
      if (isRenewalDue(sources, { nowMs: Date.now(), isPlaying })) void renewAddresses()
    }
    const timer = setInterval(look, renewEveryMs)
    // A computer that slept did not count.
    addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      removeEventListener('visibilitychange', look)
    }
  }, [sources, renewAddresses, player])
}

function Empty({
  projectId,
  actions,
  onSources,
}: {
  projectId: string | null
  actions: CutActions
  onSources: () => void
}) {
  const { data } = useQuery({
    queryKey: ['project-selects', projectId],
    enabled: projectId !== null,
    queryFn: ({ signal }) =>
      api.listProjectSelects({ params: { id: projectId ?? '' } }, { signal }),
  })
  const selects = data?.selects ?? []
  const addSelects = () =>
    actions.add(
      selects.map((select) => ({
        content_id: select.content_id,
        in: select.start_frame,
        out: select.end_frame,
        name: select.name,
      })),
      'end',
    )
  return (
    <div className="p-6">
      <EmptyState
        title="Nothing in this cut yet"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button onClick={onSources}>Search the project</Button>
            {selects.length > 0 && (
              <Button onClick={addSelects}>
                Start from the selects ({selects.length.toLocaleString('en-US')})
              </Button>
            )}
          </div>
        }
      >
        Search the project, press A. Or add selects, shots and words from any clip’s review.
      </EmptyState>
    </div>
  )
}

function MissingNote({ view, player }: { view: CutView; player: CutPlayer }) {
  const frame = useSyncExternalStore(player.subscribe, player.frame)
  const event = eventAt(view.events, frame)
  const source = event && view.sources.get(event.contentId)
  if (!source) return <p>{view.frames === 0 ? 'The cut plays here.' : 'Loading…'}</p>
  if (source.offline) return <p>Source missing: {source.name} was deleted.</p>
  if (source.pictures.proxy) return <p>Loading…</p>
  return <p>Picture follows: {source.name} has no preview yet.</p>
}

function Chip({
  view,
  player,
  preview,
}: {
  view: CutView
  player: CutPlayer
  preview: SearchHit | null
}) {
  const frame = useSyncExternalStore(player.subscribe, player.frame)
  const event = eventAt(view.events, frame)
  const passage = view.passages.find((item) => item.rangeId === event?.rangeId)
  const name = passage?.clipName.replace(/\.[^.]+$/, '')
  const text = preview
    ? `SOURCE · ${preview.content_name}`
    : event
      ? [name, passage?.speaker, `clip ${event.rangeIndex + 1}`].filter(Boolean).join(' · ')
      : ''
  if (!text) return null
  return (
    <p className="timecode pointer-events-none absolute bottom-4 left-6 max-w-[80%] truncate rounded-sm bg-[oklch(15%_0_0/80%)] px-2 py-0.5 text-xs text-[oklch(97%_0_0)]">
      {text}
    </p>
  )
}
