/**
 * Toasts of four types. Each vanishes after its time; the clocks stop while the pointer is over
 * them or the keyboard is inside. A toast that offers an action stays twice as long.
 */
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { classes } from './classes.ts'
import { createSignal } from '../dom/signal.ts'

export type ToastType = 'success' | 'error' | 'info' | 'warning'

export interface ToastContent {
  type: ToastType
  title: string
  message: string
  /** Something to do about it, once: the toast goes with it. */
  action?: { label: string; run: () => void }
}

interface ShownToast extends ToastContent {
  id: number
}

/** Those that come later wait, so that each has its whole time. */
const maxShown = 5
let queued: readonly ShownToast[] = []
let lastId = 0
const { announce, subscribe } = createSignal()
const none: readonly ShownToast[] = []

/** Shows a toast; what it returns takes it back before its time. */
export function showToast(content: ToastContent): () => void {
  lastId += 1
  const id = lastId
  change([...queued, { ...content, id }])
  return () => dismiss(id)
}

export function Toasts({ durationMs }: { durationMs: number }) {
  const toasts = useSyncExternalStore(
    subscribe,
    () => queued,
    () => none,
  )
  const [hovered, setHovered] = useState(false)
  const [focused, setFocused] = useState(false)
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-end gap-2"
    >
      <div
        aria-live="polite"
        className="pointer-events-auto flex w-full max-w-90 flex-col gap-2"
        onPointerEnter={() => setHovered(true)}
        onPointerLeave={() => setHovered(false)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        {toasts.slice(0, maxShown).map((toast) => (
          <ToastCard
            key={toast.id}
            toast={toast}
            durationMs={durationMs}
            paused={hovered || focused}
            onClose={() => {
              setFocused(false)
              dismiss(toast.id)
            }}
          />
        ))}
      </div>
    </section>
  )
}

const icons = { success: CircleCheck, error: CircleAlert, info: Info, warning: TriangleAlert }
const colours: Record<ToastType, string> = {
  success: 'text-good',
  error: 'text-bad',
  info: 'text-brand-ink',
  warning: 'text-warn',
}

function ToastCard({
  toast,
  durationMs,
  paused,
  onClose,
}: {
  toast: ShownToast
  durationMs: number
  paused: boolean
  onClose: () => void
}) {
  const { action } = toast
  useCountdown({ durationMs, paused, onEnd: () => dismiss(toast.id) })
  const Icon = icons[toast.type]
  return (
    <div
      role={toast.type === 'error' ? 'alert' : undefined}
      data-toast={toast.type}
      className="flex animate-[rise_180ms_var(--ease-out)] items-start gap-2.5 rounded-lg border border-line bg-panel p-3 shadow-float"
    >
      <Icon size={16} className={classes('mt-0.5 shrink-0', colours[toast.type])} aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-semibold">{toast.title}</p>
        <p className="text-ink-2">{toast.message}</p>
      </div>
      {action && (
        <button
          type="button"
          onClick={() => {
            onClose()
            action.run()
          }}
          className="shrink-0 rounded-sm h-6 px-1 font-semibold text-brand-ink hover:underline pointer-coarse:min-h-11"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onClose}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink pointer-coarse:size-11"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}

/** Counts down once; a pause keeps what is left. */
function useCountdown(input: { durationMs: number; paused: boolean; onEnd: () => void }): void {
  const { durationMs, paused } = input
  const leftMs = useRef(durationMs)
  const onEnd = useRef(input.onEnd)
  useEffect(() => {
    onEnd.current = input.onEnd
  })
  useEffect(() => {
    if (paused) return undefined
    const startedAt = Date.now()
    const timer = setTimeout(() => onEnd.current(), leftMs.current)
    return () => {
      clearTimeout(timer)
      leftMs.current -= Date.now() - startedAt
    }
  }, [paused])
}

function dismiss(id: number): void {
  if (!queued.some((toast) => toast.id === id)) return
  change(queued.filter((toast) => toast.id !== id))
}

function change(next: readonly ShownToast[]): void {
  queued = next
  announce()
}
