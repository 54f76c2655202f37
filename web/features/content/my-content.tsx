import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  Download,
  File,
  FileAudio,
  FileText,
  Film,
  Globe,
  Plus,
  Sparkles,
  Trash2,
} from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ContentItem } from '../../app/answers.ts'
import { api as endpoints } from '../../../contract/api.ts'
import { addressOf } from '../../../contract/endpoint.ts'
import { api } from '../../app/api.ts'
import { isMissingCall, showFailure } from '../../app/failures.ts'
import { currentApiAddress } from '../../app/api-address.ts'
import { date } from '../../app/format.ts'
import { AlertDialog } from '../../ui/alert-dialog.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../dom/kept-focus.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel, PanelLink } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toast.tsx'
import { analysisText, factsOf } from './facts.ts'
import { isUsable, refreshLibrary, useLibrary } from './library.ts'

/** A large library must not push everything else off the dashboard. */
const shownAtFirst = 10

/** The library as a list. */
export function MyContent({
  onAdd,
  onAnalyse,
  onOpen,
}: {
  onAdd: () => void
  onAnalyse: (item: ContentItem) => void
  /** The name was pressed: what was found in the item last. */
  onOpen: (item: ContentItem) => void
}) {
  const { items, isPending, isError, retry, hasMore, isLoadingMore, loadMore } = useLibrary()
  const [shown, setShown] = useState(shownAtFirst)
  const [doomed, setDoomed] = useState<ContentItem | null>(null)
  const panel = useRef<HTMLElement>(null)
  useKeptFocus(panel, 'li')
  const showMore = () => {
    setShown(shown + shownAtFirst * 2)
    if (hasMore && items.length < shown + shownAtFirst * 2) loadMore()
  }
  const addButton = (
    <Button onClick={onAdd}>
      <Plus size={14} aria-hidden /> Add Content
    </Button>
  )
  return (
    <Panel
      ref={panel}
      title="My Content"
      actions={
        items.length > 0 && (
          <>
            <PanelLink to="/library">Open Library</PanelLink>
            {addButton}
          </>
        )
      }
    >
      {isPending ? (
        <Skeleton className="h-24" />
      ) : isError ? (
        <LoadFailure onRetry={retry} />
      ) : items.length === 0 ? (
        <EmptyState title="No content yet" action={addButton}>
          Upload footage, drop a file anywhere on this page, or add the URL of a file elsewhere.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {items.slice(0, shown).map((item) => (
            <ContentRow
              key={item.id}
              item={item}
              onAnalyse={() => onAnalyse(item)}
              onOpen={() => onOpen(item)}
              onDelete={() => setDoomed(item)}
            />
          ))}
        </ul>
      )}
      {(hasMore || items.length > shown) && (
        <Button look="quiet" busy={isLoadingMore} onClick={showMore} className="mt-3 w-full">
          Show more
        </Button>
      )}
      <DeleteContent item={doomed} onClose={() => setDoomed(null)} />
    </Panel>
  )
}

function ContentRow({
  item,
  onAnalyse,
  onOpen,
  onDelete,
}: {
  item: ContentItem
  onAnalyse: () => void
  onOpen: () => void
  onDelete: () => void
}) {
  const name = item.file_name
  const canAnalyse = isUsable(item)
  const analysed = analysisText(item)
  return (
    <li className="flex items-center gap-3 py-2 first:pt-0 last:pb-0">
      <Picture item={item} />
      <div className="min-w-0 grow">
        <p className="flex">
          {canAnalyse ? (
            <button
              type="button"
              title={name}
              onClick={onOpen}
              className="truncate text-left font-medium hover:underline"
            >
              {name}
            </button>
          ) : (
            <span className="truncate font-medium" title={name}>
              {name}
            </span>
          )}
        </p>
        <p className="figures flex items-center gap-2 text-xs text-ink-3">
          <Check item={item} />
          <span className="truncate">{[...factsOf(item), date(item.created_at)].join(' · ')}</span>
        </p>
        {analysed && (
          <p className="truncate text-xs text-ink-3" title={analysed}>
            {analysed}
          </p>
        )}
      </div>
      <Button
        aria-label={`Analyse ${name}`}
        title={canAnalyse ? undefined : (item.check?.message ?? 'This file cannot be analysed.')}
        disabled={!canAnalyse}
        onClick={onAnalyse}
      >
        <Sparkles size={14} aria-hidden /> <span className="max-sm:sr-only">Analyse</span>
      </Button>
      {item.content_type === 'upload' && (
        <IconButton label={`Download ${name}`} onClick={() => void download(item)}>
          <Download size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton label={`Delete ${name}`} onClick={onDelete}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
    </li>
  )
}

function Picture({ item }: { item: ContentItem }) {
  return (
    <span className="grid h-9 w-16 shrink-0 place-items-center overflow-hidden rounded-sm bg-hover text-ink-3">
      {item.thumbnail_url ? (
        <img src={item.thumbnail_url} alt="" loading="lazy" className="size-full object-cover" />
      ) : (
        iconOf(item)
      )}
    </span>
  )
}

const icons = {
  video: <Film size={16} aria-hidden />,
  audio: <FileAudio size={16} aria-hidden />,
  image: <File size={16} aria-hidden />,
  document: <FileText size={16} aria-hidden />,
  other: <File size={16} aria-hidden />,
  elsewhere: <Globe size={16} aria-hidden />,
}

function iconOf({ content_type, media }: ContentItem): ReactNode {
  return icons[media?.kind ?? (content_type === 'upload' ? 'other' : 'elsewhere')]
}

/** Only what an editor should know before paying for an analysis. */
function Check({ item: { check } }: { item: ContentItem }) {
  if (!check || check.state === 'ready') return null
  const labels = {
    checking: 'Checking',
    unreachable: 'Unreachable',
    not_media: 'Not media',
    refused: 'Cannot be analysed',
  }
  return (
    <span title={check.message ?? undefined}>
      <Badge tone={check.state === 'checking' ? 'neutral' : 'warn'}>{labels[check.state]}</Badge>
    </span>
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
