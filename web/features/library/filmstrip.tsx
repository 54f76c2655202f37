import { Link, useNavigate } from 'react-router'
import type { ContentItem } from '../../../contract/footage/content.ts'
import { Kbd } from '../../keys/kbd.tsx'
import type { Shortcut } from '../../keys/shortcuts.tsx'
import { classes } from '../../ui/classes.ts'
import { Poster } from '../../clips/poster.tsx'
import { useClips } from './clips.ts'

/** The first clips beside one, by name: of its bin, else of its project, else those of none. */
export function useClipsBeside(clip: ContentItem | null) {
  const navigate = useNavigate()
  const place = clip?.bin_id ? { bin_id: clip.bin_id } : { project_id: clip?.project_id ?? 'none' }
  const { clips } = useClips({ ...place, sort: 'name', order: 'asc' })
  const at = clips.findIndex(({ id }) => id === clip?.id)
  const go = (to: ContentItem | undefined) => () => to && void navigate(`/library/${to.id}`)
  const shortcuts: Shortcut[] = [
    { keys: ['PageUp'], label: 'Previous clip', run: go(clips[at - 1]) },
    { keys: ['PageDown'], label: 'Next clip', run: go(at < 0 ? undefined : clips[at + 1]) },
  ]
  return { clips: at < 0 ? [] : clips, at, shortcuts }
}

function showCurrent(link: HTMLElement | null): void {
  link?.scrollIntoView({ inline: 'center', block: 'nearest', behavior: 'instant' })
}

/** The clips beside the one on the page, as a strip at its foot. */
export function Filmstrip({ clips, at }: Pick<ReturnType<typeof useClipsBeside>, 'clips' | 'at'>) {
  if (clips.length < 2) return null
  return (
    <nav
      aria-label="Clips beside this one"
      className="flex h-17.5 shrink-0 items-stretch border-t border-line bg-panel max-[900px]:sticky max-[900px]:bottom-0 max-[900px]:z-10 sm:h-19"
    >
      <p className="figures flex w-24 shrink-0 flex-col justify-center gap-1 pl-3 text-xs text-ink-3 max-sm:hidden">
        {at + 1} of {clips.length}
        <span className="flex gap-0.5">
          <Kbd>PgUp</Kbd> <Kbd>PgDn</Kbd>
        </span>
      </p>
      <ul className="flex min-w-0 grow gap-1.5 overflow-x-auto overflow-y-hidden px-1.5 py-1">
        {clips.map((clip, index) => (
          <li key={clip.id} className="h-full shrink-0">
            <Link
              ref={index === at ? showCurrent : undefined}
              to={`/library/${clip.id}`}
              aria-current={index === at ? 'page' : undefined}
              title={clip.file_name}
              className={classes(
                'flex h-full w-24 flex-col overflow-hidden rounded-md border-2 focus-visible:-outline-offset-2',
                index === at ? 'border-brand bg-brand-wash' : 'border-transparent hover:bg-hover',
              )}
            >
              <span className="min-h-0 grow bg-surround">
                <Poster clip={clip} />
              </span>
              <span className="truncate px-1 text-xs text-ink-2 max-sm:sr-only">
                {clip.file_name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
