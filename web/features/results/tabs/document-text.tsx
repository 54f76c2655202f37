import { useEffect, useRef } from 'react'

/** The text of a document, page by page, opened at the page of a search hit. */
export function DocumentText({ pages, at }: { pages: readonly string[]; at: number }) {
  const hit = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (at > 0) hit.current?.scrollIntoView({ block: 'start' })
  }, [at])
  return (
    <ol className="mx-auto flex max-w-[75ch] flex-col gap-6">
      {pages.map((text, page) => (
        // A page has no name but its place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={page} ref={page === at ? hit : undefined}>
          <p className="figures mb-1 text-xs text-ink-3">Page {page + 1}</p>
          <p className="text-[15px]/[26px] break-words whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  )
}
