import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

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
    await writeClipboard(typeof text === 'string' ? text : text(), button)
    setCopied(true)
  }
  return (
    <IconButton
      label={copied ? 'Copied' : label}
      onClick={(event) => void copy(event.currentTarget)}
    >
      {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}

/** A plain address in a local network has no clipboard of its own; there a field is copied from. */
async function writeClipboard(text: string, beside: HTMLElement): Promise<void> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  // Inside a dialog nothing outside it can be focused.
  beside.after(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  beside.focus()
}
