import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** A hint beside a control; it never holds anything that is not also said elsewhere. */
export function Tooltip({ hint, children }: { hint: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger delay={400} render={children} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className="z-50">
          <Base.Popup className="max-w-70 rounded-md border border-line bg-panel px-2 py-1 text-xs text-ink-2 shadow-float transition-opacity duration-120 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {hint}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
