import { useState } from 'react'
import { classes } from './classes.ts'

/** The picture, or the first letter of the name where there is none or it does not load. */
export function Avatar({
  name,
  picture,
  size = 28,
}: {
  name: string
  picture?: string | null
  size?: 28 | 40 | 64
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const shape = classes(
    'flex shrink-0 items-center justify-center overflow-hidden rounded-full',
    size === 28 ? 'size-7 text-xs' : size === 40 ? 'size-10 text-base' : 'size-16 text-xl',
  )
  if (picture && broken !== picture) {
    return (
      <img
        src={picture}
        alt=""
        referrerPolicy="no-referrer"
        onError={() => setBroken(picture)}
        className={classes(shape, 'object-cover')}
      />
    )
  }
  return (
    <span aria-hidden className={classes(shape, 'bg-brand font-semibold text-on-brand')}>
      {(name.trim()[0] ?? '?').toUpperCase()}
    </span>
  )
}
