/** Follows a pressed pointer until it is let go, cancelled, or Escape is pressed. */
export function followPointer(
  pointerId: number,
  on: {
    move: (event: PointerEvent) => void
    /** The pointer was let go; `end` comes after it. */
    up: (event: PointerEvent) => void
    end: () => void
  },
): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const end = (): void => {
    if (signal.aborted) return
    listening.abort()
    on.end()
  }
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId === pointerId) on.move(event)
  }
  const onUp = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return
    on.up(event)
    end()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    end()
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
  return end
}
