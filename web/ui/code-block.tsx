import { CopyButton } from './copy-button.tsx'

/** Code that can be copied; the frame takes the keyboard so that long lines can be scrolled. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure className="min-w-0 rounded-lg border border-line bg-panel">
      <figcaption className="flex h-9 items-center justify-between border-b border-line pr-1 pl-3 text-xs text-ink-3">
        {title}
        <CopyButton text={code} label={`Copy ${title}`} />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={title}
        role="group"
        className="overflow-x-auto p-3 text-xs leading-5 text-ink-2"
      >
        <code>{code}</code>
      </pre>
    </figure>
  )
}
