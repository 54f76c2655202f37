/** How a clip looks wherever clips are listed. */
import { File, FileAudio, FileText, Film, Globe } from 'lucide-react'
import { useState } from 'react'
import type { ContentItem } from '../app/answers.ts'
import { lengthText } from '../app/format.ts'

type Pictured = Pick<ContentItem, 'content_type' | 'media' | 'thumbnail_url'>

const icons = {
  video: Film,
  audio: FileAudio,
  image: File,
  document: FileText,
  other: File,
  elsewhere: Globe,
}

/** The picture of a clip, else the icon of its kind. */
export function Poster({ clip, iconSize = 22 }: { clip: Pictured; iconSize?: number }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  if (clip.thumbnail_url && clip.thumbnail_url !== failedUrl) {
    return (
      <img
        src={clip.thumbnail_url}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setFailedUrl(clip.thumbnail_url ?? null)}
        className="size-full object-contain"
      />
    )
  }
  const Icon = icons[clip.media?.kind ?? (clip.content_type === 'upload' ? 'other' : 'elsewhere')]
  return (
    <span className="grid size-full place-items-center text-ink-3">
      <Icon size={iconSize} aria-hidden />
    </span>
  )
}

/** Over the lower right corner of its picture. */
export function Length({ clip: { media } }: { clip: Pictured }) {
  if (!media || media.duration <= 0) return null
  return (
    <span className="timecode absolute right-1 bottom-1 rounded-sm bg-[oklch(0%_0_0/70%)] px-1 text-xs text-[white]">
      {lengthText(media.duration)}
    </span>
  )
}
