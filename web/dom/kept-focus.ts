import { useEffect } from 'react'
import type { RefObject } from 'react'

const pressable = 'a[href], button, input, select, textarea, [tabindex]'

/**
 * Keeps the focus in a list whose rows go away: the row in the place of the removed one gets it, or
 * the heading where none is left. A question that was answered in between does not count.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, rows: string): void {
  useEffect(() => {
    const root = list.current
    if (!root) return undefined
    let last: { element: Element; row: number; place: number } | null = null
    const onFocus = (event: FocusEvent): void => {
      const { target } = event
      if (!(target instanceof Element) || target.closest('[role*=dialog], [role=menu]')) return
      const row = root.contains(target) ? target.closest(rows) : null
      last = row && {
        element: target,
        row: [...root.querySelectorAll(rows)].indexOf(row),
        place: [row, ...row.querySelectorAll(pressable)].indexOf(target),
      }
    }
    const restore = (): void => {
      if (!last || last.element.isConnected || !isNowhere()) return
      const left = [...root.querySelectorAll<HTMLElement>(rows)]
      const row = left[Math.min(last.row, left.length - 1)]
      const inside = row && [row, ...row.querySelectorAll<HTMLElement>(pressable)]
      const next = inside?.[last.place] ?? row ?? headingOf(root)
      last = null
      if (next) focusOn(next)
    }
    // A dialog gives the focus back a moment after it has gone.
    const observer = new MutationObserver(() => last && requestAnimationFrame(restore))
    observer.observe(root, { childList: true, subtree: true })
    observer.observe(document.body, { childList: true })
    document.addEventListener('focusin', onFocus)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', onFocus)
    }
  }, [list, rows])
}

/** Gives the focus to what Tab does not come to, for as long as it stays there. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0 && !element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

export function isNowhere(): boolean {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || !activeElement.isConnected
}

function headingOf(root: HTMLElement): HTMLElement | null {
  const section = root.closest('section') ?? root
  return section.querySelector('h1, h2, h3') ?? document.querySelector('h1')
}
