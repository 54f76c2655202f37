import type { Comment } from '../../../../contract/footage/shares.ts'

/** Comments at their frames of the newest version; one whose frame is gone stays where it was. */
export function commentsNow(comments: readonly Comment[]): Comment[] {
  return comments.map((comment) => {
    const { now_at: now, at, out } = comment
    return now === null
      ? comment
      : { ...comment, at: now, out: out === null ? null : out - at + now }
  })
}
