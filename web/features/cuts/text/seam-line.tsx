import { TriangleAlert } from 'lucide-react'
import type { Seam } from '../seam.ts'

/** How the cut between two passages will feel, and one remedy where there is one. */
export function SeamLine({ seam, onKeep }: { seam: Seam; onKeep: () => void }) {
  return (
    <div className="flex min-h-6 items-center gap-2 pr-6 pl-32 text-xs text-ink-3 max-sm:pr-3 max-sm:pl-8">
      {seam.isDoubtful ? (
        <TriangleAlert size={12} aria-hidden className="shrink-0 text-warn" />
      ) : (
        <span aria-hidden className="size-2 shrink-0 rotate-45 bg-playhead" />
      )}
      <span className={seam.isDoubtful ? 'text-warn' : ''}>{seam.text}</span>
      {seam.gap && (
        <button
          type="button"
          onClick={onKeep}
          className="shrink-0 rounded-sm text-brand-ink hover:underline"
        >
          Keep the gap
        </button>
      )}
      <span className="h-px grow bg-line" />
    </div>
  )
}
