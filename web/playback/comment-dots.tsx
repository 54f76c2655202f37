import { classes } from '../ui/classes.ts'

export interface PlacedComment {
  id: string
  at: number
  name: string
  text: string
}

/** Dots where somebody commented; `xOf` gives their pixels, those out of view are not drawn. */
export function CommentDots({
  comments,
  xOf,
  view,
  className,
}: {
  comments: readonly PlacedComment[]
  xOf: (frame: number) => number
  view: { left: number; width: number }
  className: string
}) {
  return comments
    .map((comment) => ({ ...comment, x: xOf(comment.at) }))
    .filter(({ x }) => x > view.left - 8 && x < view.left + view.width + 8)
    .map(({ id, name, text, x }) => (
      <span
        key={id}
        data-comment
        title={`${name}: ${text}`}
        style={{ left: x }}
        className={classes(
          'absolute size-2 -translate-x-1/2 rounded-full border border-panel bg-playhead',
          className,
        )}
      />
    ))
}
