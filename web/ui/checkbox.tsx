import { useId } from 'react'
import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { classes } from './classes.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: string
  ref?: Ref<HTMLInputElement>
}

export function Checkbox({ label, hint, error, className, ...rest }: Props) {
  const id = useId()
  return (
    <label className={classes('flex items-start gap-2.5 py-1 has-disabled:opacity-60', className)}>
      <input
        {...rest}
        type="checkbox"
        aria-invalid={error ? true : rest['aria-invalid']}
        aria-describedby={error ? id : rest['aria-describedby']}
        className="mt-0.5 size-4 shrink-0 accent-brand disabled:cursor-not-allowed pointer-coarse:size-6"
      />
      <Beside label={label} hint={hint} error={error} errorId={id} />
    </label>
  )
}

/** Choices of which any number may be on. */
export function Checkboxes<Value extends string>({
  label,
  hint,
  error,
  values,
  chosen,
  onChange,
  columns,
}: {
  label: string
  hint?: string
  error?: string
  values: readonly Value[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
  /** Classes of the grid that they stand in. */
  columns: string
}) {
  return (
    <fieldset className="sm:col-span-2">
      <legend className="text-sm font-medium">{label}</legend>
      {hint && <p className="text-xs text-ink-3">{hint}</p>}
      <div className={classes('mt-1 grid gap-x-4', columns)}>
        {values.map((value) => (
          <Checkbox
            key={value}
            label={<code>{value}</code>}
            checked={chosen.includes(value)}
            aria-invalid={error ? true : undefined}
            onChange={(event) => {
              const others = chosen.filter((item) => item !== value)
              onChange(event.target.checked ? [...others, value] : others)
            }}
          />
        ))}
      </div>
      {error && <p className="text-xs text-bad">{error}</p>}
    </fieldset>
  )
}

/** One of several, each with a line about its use. */
export function RadioCards<Id extends string>({
  legend,
  items,
  value,
  onChange,
  columns = '',
  isCompact = false,
}: {
  legend: ReactNode
  /** `note` says why an item cannot be chosen. */
  items: readonly { id: Id; name: string; use: string; note?: string | undefined }[]
  value: Id
  onChange: (id: Id) => void
  /** Classes of the grid that they stand in. */
  columns?: string
  /** Keeps the use to a line. */
  isCompact?: boolean
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      <div className={classes('grid gap-1.5', columns)}>
        {items.map(({ id, name: title, use, note }) => (
          <label
            key={id}
            className="flex min-w-0 items-start gap-2 rounded-md border border-line px-2.5 py-1.5 has-checked:border-brand has-checked:bg-brand-wash pointer-coarse:py-3"
          >
            <input
              type="radio"
              name={name}
              aria-label={`${title}: ${use}`}
              checked={value === id}
              disabled={note !== undefined}
              onChange={() => onChange(id)}
              className="mt-1 accent-brand"
            />
            <span className="min-w-0">
              <span className="block font-medium">{title}</span>
              <span
                title={note ?? use}
                className={classes('block text-xs text-ink-3', isCompact && 'sm:truncate')}
              >
                {note ?? (isCompact ? use.split('. ')[0] : use)}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** On or off, at once: a checkbox that says `switch` to assistive technology. */
export function Switch({ label, hint, className, ...rest }: Omit<Props, 'error'>) {
  return (
    <label className={classes('flex items-start gap-2.5 py-1 has-disabled:opacity-60', className)}>
      <input
        {...rest}
        type="checkbox"
        role="switch"
        className="relative mt-0.5 h-4.5 w-8 shrink-0 appearance-none rounded-full bg-line-strong transition-colors duration-120 before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-[white] before:transition-transform before:duration-120 checked:bg-brand checked:before:translate-x-3.5 dark:checked:before:bg-page"
      />
      <Beside label={label} hint={hint} />
    </label>
  )
}

function Beside({
  label,
  hint,
  error,
  errorId,
}: Pick<Props, 'label' | 'hint' | 'error'> & { errorId?: string }) {
  return (
    <span className="min-w-0">
      <span className="text-sm">{label}</span>
      {hint && <span className="block text-xs text-ink-3">{hint}</span>}
      {error && (
        <span id={errorId} className="block text-xs text-bad">
          {error}
        </span>
      )}
    </span>
  )
}
