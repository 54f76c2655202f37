import { Tooltip as Base } from '@base-ui/react/tooltip'
import { useEffect, useRef, useState } from 'react'
import type { PointerEvent, ReactNode, RefObject } from 'react'

const delayMs = 400

/** A hint beside things shown by the hundred: it exists only once a pointer rests there. */
export function useRestingHint<T extends HTMLElement>(hint: () => ReactNode) {
  const element = useRef<T>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = (): void => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  return {
    element,
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') timer.current = setTimeout(() => setOpen(true), delayMs)
      },
      onPointerLeave: close,
    },
    popup: isOpen && (
      <Base.Root open onOpenChange={(isStillOpen) => !isStillOpen && close()}>
        <Popup anchor={element}>{hint()}</Popup>
      </Base.Root>
    ),
  }
}

function Popup({ children, anchor }: { children: ReactNode; anchor?: RefObject<Element | null> }) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-50" {...(anchor ? { anchor } : {})}>
        <Base.Popup className="max-w-70 rounded-md border border-line bg-panel px-2 py-1 text-xs text-ink-2 shadow-float transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}
