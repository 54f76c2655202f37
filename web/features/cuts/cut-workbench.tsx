/** The cut screen: text, viewer with its sources, and the strip, which move together. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PanelBottomOpen } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ComponentType } from 'react'
import { useNavigate } from 'react-router'
import { eventAt } from '../../../domain/cuts/cut-times.ts'
import type { Cut, CutSource } from '../../../contract/footage/cuts.ts'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { api } from '../../app/api.ts'
import type { ExportSubject } from '../../saved/export-file.ts'
import { keys } from '../../app/queries.ts'
import { toggleFullScreen } from '../../dom/full-screen.ts'
import { useNarrow } from '../../dom/narrow.ts'
import { ShortcutsDialog, useShortcuts } from '../../keys/shortcuts.tsx'
import type { Shortcut } from '../../keys/shortcuts.tsx'
import { isRenewalDue, noteAddresses, renewEveryMs } from '../../playback/keep-addresses.ts'
import { saveFirst } from '../../saved/save-first.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CutContext, useCut, useOpenCut } from './cut-context.ts'
import {
  ConflictBar,
  CutSettingsDialog,
  DeleteCutDialog,
  OtherRateBar,
  VersionsDialog,
} from './cut-dialogs.tsx'
import { CutHeader } from './cut-header.tsx'
import type { CutDialog } from './cut-header.tsx'
import { cutShortcuts } from './cut-shortcuts.ts'
import { CutSide } from './cut-side.tsx'
import type { CutState } from './cut-state.ts'
import type { CutPlayer } from './player/cut-player.ts'
import { CutTransport } from './player/cut-transport.tsx'
import { CutViewer } from './player/cut-viewer.tsx'
import { useHitPreview } from './player/hit-preview.ts'
import { ShareDialog } from './share/share-dialog.tsx'
import { useCutExport } from './export-subject.ts'
import { Split, useSplit } from './split.tsx'
import { Strip, zoomInId, zoomOutId } from './strip/strip.tsx'
import { TextPane } from './text/text-pane.tsx'

type ExportDialog = ComponentType<{ subject: ExportSubject; onClose: () => void }>

export function CutWorkbench({
  opened,
  exportDialog,
}: {
  opened: { cut: Cut; sources: readonly CutSource[] }
  exportDialog: ExportDialog
}) {
  const cut = useOpenCut(opened)
  const { state, view, deck } = cut
  useEffect(() => deck.cut.load(view.program), [deck, view.program])
  useLivingAddresses(state, deck.player)
  useEffect(() => {
    document.title = `${state.cut.name} · CutIndex`
  }, [state.cut.name])
  return (
    <CutContext value={cut}>
      <Parts exportDialog={exportDialog} />
    </CutContext>
  )
}

function Parts({ exportDialog }: { exportDialog: ExportDialog }) {
  const { state, view, deck, actions } = useCut()
  const screen = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<CutDialog | null>(null)
  const isNarrow = useNarrow()
  const split = useSplit()
  const preview = useHitPreview(deck, view.framesPerSecond)
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
    open: setOpen,
  })
  useShortcuts(shortcuts)
  return (
    <div className="flex h-[calc(100dvh-49px)] min-h-160 flex-col max-sm:h-[calc(100dvh-93px)]">
      <h1 className="sr-only">{state.cut.name}</h1>
      <CutHeader onOpen={setOpen} />
      <OtherRateBar onSettings={() => setOpen('settings')} />
      <ConflictBar />
      <div
        className="grid min-h-0 grow grid-cols-[minmax(0,1fr)] max-[900px]:grid-rows-[auto_minmax(0,1fr)] min-[900px]:grid-cols-[minmax(0,1fr)_var(--right)]"
        style={split.style}
      >
        <div className="relative flex min-h-0 min-w-0 flex-col max-[900px]:order-last min-[900px]:border-r min-[900px]:border-line">
          <TextPane empty={<Empty onSources={showSources} />} />
          <Split split={split} />
        </div>
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="h-[342px] shrink-0 bg-surround p-2 max-[900px]:h-auto max-[900px]:p-0 max-[900px]:aspect-video">
            <CutViewer
              player={deck.player}
              frame={screen}
              note={<MissingNote />}
              chip={<Chip preview={preview.hit} />}
            />
          </div>
          <CutTransport onFullScreen={() => toggleFullScreen(screen.current)} />
          {!isNarrow && <CutSide onPreview={preview.start} />}
        </div>
      </div>
      <Strip />
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
          <CutSide onPreview={preview.start} onClose={close} />
        </div>
      )}
      <Dialogs open={open} shortcuts={shortcuts} exportDialog={exportDialog} onClose={close} />
    </div>
  )
}

function Dialogs({
  open,
  shortcuts,
  exportDialog,
  onClose,
}: {
  open: CutDialog | null
  shortcuts: readonly Shortcut[]
  exportDialog: ExportDialog
  onClose: () => void
}) {
  const { state } = useCut()
  const queries = useQueryClient()
  const navigate = useNavigate()
  switch (open) {
    case 'settings':
      return <CutSettingsDialog onClose={onClose} />
    case 'versions':
      return <VersionsDialog onClose={onClose} />
    case 'export':
      return <CutExport dialog={exportDialog} onClose={onClose} />
    case 'help':
      return <ShortcutsDialog shortcuts={shortcuts} onClose={onClose} />
    case 'share':
      return (
        <ShareDialog
          thing={{ cut_id: state.cut.id }}
          name={state.cut.name}
          beforeShare={() => saveFirst('No link made', state)}
          onClose={onClose}
        />
      )
    case 'delete':
      return (
        <DeleteCutDialog
          cut={state.cut}
          onClose={onClose}
          onDeleted={() => {
            void queries.invalidateQueries({ queryKey: keys.cuts })
            void navigate('/cuts')
          }}
        />
      )
    default:
      return null
  }
}

function CutExport({ dialog: Dialog, onClose }: { dialog: ExportDialog; onClose: () => void }) {
  const subject = useCutExport()
  return <Dialog subject={subject} onClose={onClose} />
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

function Empty({ onSources }: { onSources: () => void }) {
  const { state, actions } = useCut()
  const { project_id: projectId } = state.cut
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

function MissingNote() {
  const { view, deck } = useCut()
  const frame = useSyncExternalStore(deck.cut.subscribe, deck.cut.frame)
  const event = eventAt(view.events, frame)
  const source = event && view.sources.get(event.contentId)
  if (!source) return <p>{view.frames === 0 ? 'The cut plays here.' : 'Loading…'}</p>
  if (source.offline) return <p>Source missing: {source.name} was deleted.</p>
  if (source.pictures.proxy) return <p>Loading…</p>
  return <p>Picture follows: {source.name} has no preview yet.</p>
}

function Chip({ preview }: { preview: SearchHit | null }) {
  const { view, deck } = useCut()
  const frame = useSyncExternalStore(deck.cut.subscribe, deck.cut.frame)
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
