/** The frame of every analysis: what to find, beside the footage. */
import type { ReactNode, RefObject } from 'react'
import { messageOf } from '../../app/failures.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { classes } from '../../ui/classes.ts'
import { ExtractorList } from './extractor-list.tsx'
import type { FindFields } from './extractor-list.tsx'

export function AnalyseDialog({
  title,
  description,
  find,
  footage,
  isFootageFirst = false,
  form,
  failure,
  isStale = false,
  footer,
  onSubmit,
  onClose,
  children,
}: {
  title: string
  description: ReactNode
  find: FindFields
  footage: ReactNode
  isFootageFirst?: boolean
  /** Where Enter in a field submits too. */
  form?: { id: string; ref: RefObject<HTMLFormElement | null> }
  failure?: Error | null
  /** The price is of an earlier choice. */
  isStale?: boolean
  footer: ReactNode
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}) {
  const list = <ExtractorList {...find} />
  const side = 'md:border-r md:border-line md:pr-5'
  return (
    <Dialog
      width="widest"
      onClose={onClose}
      title={title}
      description={description}
      onCtrlEnter={onSubmit}
      footer={footer}
    >
      {failure && (
        <p role="alert" className="mb-2 text-bad">
          {messageOf(failure, 'The cost could not be read. Please try again.')}
        </p>
      )}
      <form
        {...form}
        noValidate
        aria-busy={isStale}
        onSubmit={(event) => {
          event.preventDefault()
          if (form) onSubmit()
        }}
        className={classes(
          'grid gap-x-5 gap-y-4',
          isFootageFirst
            ? 'md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]'
            : 'md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]',
          isStale && 'opacity-60',
        )}
      >
        <div className={side}>{isFootageFirst ? footage : list}</div>
        <div>{isFootageFirst ? list : footage}</div>
      </form>
      {children}
    </Dialog>
  )
}
