/** Opens at the first use and keeps the result; a failed opening is tried again at the next use. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | null = null
  return () => {
    if (opened) return opened
    const opening = open()
    opened = opening
    opening.catch(() => {
      if (opened === opening) opened = null
    })
    return opening
  }
}
