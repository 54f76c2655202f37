/** The column under the viewer: the sources to add from, or the comments of links. */
import { useState } from 'react'
import type { SearchHit } from '../../../contract/footage/search.ts'
import { Button } from '../../ui/button.tsx'
import { useCut } from './cut-context.ts'
import { OwnerComments } from './share/owner-comments.tsx'
import { SourcesPanel } from './sources-panel.tsx'

export function CutSide({
  onPreview,
  onClose,
}: {
  onPreview: (hit: SearchHit) => Promise<void>
  /** Where it is a sheet over the screen. */
  onClose?: () => void
}) {
  const { comments, deck, view } = useCut()
  const [panel, setPanel] = useState<'sources' | 'comments'>('sources')
  if (comments.length === 0) return <SourcesPanel onPreview={onPreview} onClose={onClose} />
  const threads = comments.filter((comment) => comment.reply_to === null).length
  return (
    <>
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
      {panel === 'comments' ? (
        <div className="flex min-h-0 grow flex-col bg-panel">
          <OwnerComments comments={comments} player={deck.cut} time={view.time} />
        </div>
      ) : (
        <SourcesPanel onPreview={onPreview} onClose={onClose} />
      )}
    </>
  )
}
