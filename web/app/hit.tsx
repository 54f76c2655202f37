/** Parts of a search hit, wherever hits are listed. */
import type { ReactNode } from 'react'
import type { SearchHit } from '../../contract/footage/search.ts'
import { classes } from '../ui/classes.ts'

export function HitStill({
  url,
  className,
}: {
  url: string | null | undefined
  className: string
}) {
  const shape = classes('rounded-sm', className)
  return url ? (
    <img src={url} alt="" loading="lazy" className={shape} />
  ) : (
    <span aria-hidden className={shape} />
  )
}

/** A text with its highlights marked. */
export function Marked({
  text,
  ranges,
  className,
}: {
  text: string
  ranges: SearchHit['highlights']
  className: string
}) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of ranges) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className={className}>
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
