import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download, Plus, Sparkles, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { api as endpoints } from '../../../contract/api.ts'
import { addressOf } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { isMissingCall, showFailure } from '../../app/failures.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { date } from '../../app/format.ts'
import { Length, Poster } from '../../clips/poster.tsx'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useHold } from '../../dom/use-hold.ts'
import { useKeptFocus } from '../../dom/kept-focus.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelLink } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { factsOf, stateOf } from './facts.ts'
import type { Look } from './facts.ts'
import { isUsable, refreshLibrary, useLibrary } from './library.ts'

/** Two rows; on a phone the first four are shown. All others are in the library. */
const maxShown = 8
const gridClass =
  'grid grid-cols-2 gap-2 sm:grid-cols-4 max-sm:*:nth-[n+5]:hidden max-sm:-m-2 max-sm:gap-1'

/** The latest footage, with the way to all of it. */
export function MyContent({
  onAdd,
  onAnalyse,
  onOpen,
  emptyAction,
}: {
  onAdd: () => void
  onAnalyse: (item: ContentItem) => void
  /** The name was pressed: what was found in the item last. */
  onOpen: (item: ContentItem) => void
  /** Beside Add Content while there is none. */
  emptyAction: ReactNode
}) {
  const { items, total, isPending, isError, retry } = useLibrary()
  const [doomed, setDoomed] = useState<ContentItem | null>(null)
  const panel = useRef<HTMLElement>(null)
  useKeptFocus(panel, 'li')
  return (
    <Panel
      ref={panel}
      title="My Content"
      actions={
        items.length > 0 && (
          <>
            <span className="text-ink-3 max-sm:hidden">{total} · newest first</span>
            <PanelLink to="/library">Open Library</PanelLink>
          </>
        )
      }
    >
      {isPending ? (
        <div role="status" aria-label="Loading your content" className={gridClass}>
          {Array.from({ length: maxShown }, (_, index) => (
            <Skeleton key={index} className="h-40 max-sm:h-34" />
          ))}
        </div>
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : items.length === 0 ? (
        <EmptyState
          title="No content yet"
          action={
            <span className="flex flex-wrap justify-center gap-2">
              {emptyAction}
              <Button size="md" onClick={onAdd}>
                <Plus size={14} aria-hidden /> Add Content
              </Button>
            </span>
          }
        >
          Upload footage, drop a file anywhere on this page, or add the URL of a file elsewhere.
        </EmptyState>
      ) : (
        <ul className={gridClass}>
          {items.slice(0, maxShown).map((item) => (
            <ContentCard
              key={item.id}
              item={item}
              onAnalyse={() => onAnalyse(item)}
              onOpen={() => onOpen(item)}
              onDelete={() => setDoomed(item)}
            />
          ))}
        </ul>
      )}
      <DeleteContent item={doomed} onClose={() => setDoomed(null)} />
    </Panel>
  )
}

const looks: Record<Look, string> = {
  done: 'bg-ink-3',
  running: 'bg-brand-ink',
  failed: 'rotate-45 rounded-none! bg-bad',
  none: 'border border-ink-3',
}

interface Card {
  item: ContentItem
  onAnalyse: () => void
  onOpen: () => void
  onDelete: () => void
}

function ContentCard(card: Card) {
  const { item, onOpen } = card
  const name = item.file_name
  const canAnalyse = isUsable(item)
  const problem = item.check?.message ?? undefined
  const state = stateOf(item)
  const actions = useRef<HTMLDivElement>(null)
  // The focus shows them, and they go when the next touch takes it away.
  const hold = useHold(() => actions.current?.querySelector('button')?.focus())
  return (
    <li
      {...hold}
      className="group relative min-w-0 rounded-md p-1 hover:bg-hover has-focus-visible:bg-hover pointer-coarse:select-none"
    >
      <div className="relative aspect-video overflow-hidden rounded-sm bg-surround">
        <Poster clip={item} />
        <Length clip={item} />
      </div>
      <CardActions {...card} ref={actions} />
      <p className="mt-1 flex">
        {canAnalyse ? (
          <button
            type="button"
            title={name}
            onClick={onOpen}
            className="row-link truncate text-left font-medium"
          >
            {name}
          </button>
        ) : (
          <span className="truncate font-medium" title={name}>
            {name}
          </span>
        )}
      </p>
      <p className="figures truncate text-xs text-ink-2">
        {[...factsOf(item), date(item.created_at)].join(' · ')}
      </p>
      {state && (
        <p className="flex items-center gap-1.5 text-xs text-ink-2" title={problem ?? state.text}>
          <span aria-hidden className={`size-2 shrink-0 rounded-full ${looks[state.look]}`} />
          <span className={state.look === 'failed' ? 'truncate text-bad' : 'truncate'}>
            {state.text}
          </span>
        </p>
      )}
    </li>
  )
}

/** A finger would press what it cannot see: there they take none until they are shown. */
function CardActions({ item, onAnalyse, onDelete, ref }: Card & { ref: Ref<HTMLDivElement> }) {
  const name = item.file_name
  const canAnalyse = isUsable(item)
  const problem = item.check?.message ?? 'This file cannot be analysed.'
  return (
    <div
      ref={ref}
      className="absolute top-2 right-2 z-1 flex gap-1 opacity-0 transition-opacity duration-120 group-hover:opacity-100 group-focus-within:opacity-100 pointer-coarse:pointer-events-none pointer-coarse:focus-within:pointer-events-auto"
    >
      <IconButton
        look="secondary"
        label={`Analyse ${name}`}
        title={canAnalyse ? `Analyse ${name}` : problem}
        disabled={!canAnalyse}
        onClick={onAnalyse}
      >
        <Sparkles size={14} aria-hidden />
      </IconButton>
      {item.content_type === 'upload' && (
        <IconButton look="secondary" label={`Download ${name}`} onClick={() => void download(item)}>
          <Download size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton look="secondary" label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </div>
  )
}

function DeleteContent({ item, onClose }: { item: ContentItem | null; onClose: () => void }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteContent({ params: { id } }),
    onSuccess: () => showToast({ type: 'success', title: 'Success', message: 'Content deleted' }),
    meta: { failure: { fallback: 'Failed to delete content', isFixed: true } },
    onSettled: () => {
      onClose()
      return refreshLibrary(queries)
    },
  })
  return (
    <AlertDialog
      open={item !== null}
      onClose={onClose}
      title="Delete content"
      question="Are you sure you want to delete this content? This action cannot be undone."
      confirmLabel="Delete"
      busy={remove.isPending}
      onConfirm={() => item && remove.mutate(item.id)}
    />
  )
}

/** The tab is opened by the click itself, because a browser blocks one that is opened later. */
async function download(item: ContentItem): Promise<void> {
  const tab = window.open('about:blank', '_blank')
  try {
    const url = await downloadAddress(item.id)
    if (tab) {
      tab.opener = null
      tab.location.href = url
    } else location.assign(url)
  } catch (error) {
    tab?.close()
    showFailure(error, { fallback: 'Failed to download content' })
  }
}

/** A tab carries no bearer header: asks for a ticket; the specification opens it plainly. */
async function downloadAddress(id: string): Promise<string> {
  try {
    return (await api.createDownloadTicket({ params: { id } })).url
  } catch (error) {
    if (!isMissingCall(error)) throw error
    return addressOf(currentApiAddress(), endpoints.downloadContent, { params: { id } })
  }
}
