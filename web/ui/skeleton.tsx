import { classes } from './classes.ts'

/** The shape of what is still loading. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classes(
        'block animate-[skeleton_1.6s_ease-in-out_infinite] rounded-sm bg-hover',
        className ?? 'h-4 w-full',
      )}
    />
  )
}
