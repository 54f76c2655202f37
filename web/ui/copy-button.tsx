import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { showToast } from './toast.tsx'

const shownMs = 1500

/** Copies a text and says so for a moment. A long text is made when it is copied. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (button: HTMLElement) => {
    const isCopied = await writeClipboard(typeof text === 'string' ? text : text(), button)
    setCopied(isCopied)
    if (isCopied) return
    const message = 'The browser refused. Select the text and copy it yourself.'
    showToast({ type: 'error', title: 'Not copied', message })
  }
  return (
    <>
      <IconButton
        label={copied ? 'Copied' : label}
        onClick={(event) => void copy(event.currentTarget)}
      >
        {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {copied && 'Copied'}
      </span>
    </>
  )
}

/** Writes to the clipboard; false if the browser refuses. */
async function writeClipboard(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyFromField(text, beside)
  }
}

/** A plain address in a local network has no clipboard of its own; a policy may forbid it too. */
function copyFromField(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  // Inside a dialog nothing outside it can be focused.
  beside.after(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  beside.focus()
  return isCopied
}

/** A secret, for the only time that it can be seen. */
export function ShownOnce({
  title,
  label,
  value,
  onDone,
}: {
  title: string
  label: string
  value: string
  onDone: () => void
}) {
  return (
    <div
      role="status"
      className="flex flex-col gap-2 rounded-lg border border-line bg-good-wash p-3 text-ink"
    >
      <p className="font-medium">{title}</p>
      <p className="text-ink-2">Copy it now. You won’t see it again.</p>
      <div className="flex items-center gap-2">
        <code className="min-w-0 grow rounded-md border border-line bg-panel px-2.5 py-1.5 break-all">
          {value}
        </code>
        <CopyButton text={value} label={label} />
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  )
}
