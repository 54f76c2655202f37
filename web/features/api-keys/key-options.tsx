import { CallError, scopes } from '../../../contract/endpoint.ts'
import type { Scope } from '../../../contract/endpoint.ts'
import type { ApiKey } from '../../app/answers.ts'
import { Checkboxes } from '../../ui/checkbox.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import type { Complaint } from '../../ui/form-problem.ts'

/** The options of a key, as they are typed. */
export interface KeyOptions {
  mode: 'live' | 'test'
  scopes: readonly Scope[]
  limit: string
  period: 'month' | 'total'
  addresses: string
}

export const noOptions: KeyOptions = {
  mode: 'live',
  scopes: [],
  limit: '',
  period: 'month',
  addresses: '',
}

export type OptionField = 'limit' | 'addresses'

/** The options that a key has, as they would be typed. */
export function optionsOf(key: ApiKey): KeyOptions {
  return {
    mode: key.mode ?? 'live',
    scopes: key.scopes ?? [],
    limit: key.spend_limit ? String(key.spend_limit.usd) : '',
    period: key.spend_limit?.period ?? 'month',
    addresses: key.allowed_addresses?.join(', ') ?? '',
  }
}

/** Null: the amount is none that can be kept. */
export function readLimit(text: string): number | null {
  return /^\d{1,6}(\.\d{1,2})?$/.test(text.trim()) ? Number(text.trim()) : null
}

/** Sends no empty field, so that a key without options is made as the specification says. */
export function bodyOf(options: KeyOptions) {
  const { addresses, usd } = read(options)
  return {
    ...(options.mode === 'test' ? { mode: options.mode } : {}),
    ...(options.scopes.length > 0 ? { scopes: [...options.scopes] } : {}),
    ...(usd === null ? {} : { spend_limit: { usd, period: options.period } }),
    ...(addresses.length > 0 ? { allowed_addresses: addresses } : {}),
  }
}

/** For a key that exists: what is empty removes its restriction. */
export function changesOf(options: KeyOptions) {
  const { addresses, usd } = read(options)
  return {
    scopes: options.scopes.length > 0 ? [...options.scopes] : null,
    spend_limit: usd === null ? null : { usd, period: options.period },
    allowed_addresses: addresses.length > 0 ? addresses : null,
  }
}

function read({ addresses, limit }: KeyOptions): { addresses: string[]; usd: number | null } {
  return { addresses: addresses.split(/[\s,]+/).filter(Boolean), usd: readLimit(limit) }
}

/** Checks a key's form before it is sent. */
export function findKeyProblem(
  name: string,
  { limit }: KeyOptions,
): Complaint<'name' | OptionField> | null {
  if (!name.trim()) {
    return {
      field: 'name',
      title: 'Validation Error',
      message: 'Please enter a key name',
      note: 'Every key needs a name.',
    }
  }
  if (!limit.trim() || readLimit(limit) !== null) return null
  return {
    field: 'limit',
    title: 'Validation Error',
    message: 'Please enter the limit in dollars and cents',
    note: 'Such as 20 or 12.50.',
  }
}

/** Places the service's refusal of an option at its field. */
export function optionProblemOf(failure: unknown): Complaint<OptionField> | null {
  if (!(failure instanceof CallError)) return null
  const { field, message = '' } = failure.body
  if (!field?.startsWith('allowed_addresses')) return null
  const note = 'One of them is no address and no range.'
  return { field: 'addresses', title: 'Validation Error', message, note }
}

/** Everything that the specification's form does not have, folded away. */
export function KeyOptionFields({
  options,
  errorOf,
  onChange,
}: {
  options: KeyOptions
  errorOf: (field: OptionField) => string | undefined
  onChange: (options: KeyOptions) => void
}) {
  return (
    <details className="sm:col-span-3">
      <summary className="cursor-pointer text-sm font-medium text-ink-2 pointer-coarse:py-2.5">
        Options
      </summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-2">
        <Select
          label="Mode"
          value={options.mode}
          onChange={(event) =>
            onChange({ ...options, mode: event.target.value === 'test' ? 'test' : 'live' })
          }
          options={[
            { value: 'live', label: 'Live' },
            { value: 'test', label: 'Test: no charge, no analysis' },
          ]}
          hint="Objects of test keys are apart from yours and gone after a day."
        />
        <RestrictionFields options={options} errorOf={errorOf} onChange={onChange} />
      </div>
    </details>
  )
}

/** Limits what a key may spend, from where it is used, and what for. */
export function RestrictionFields({
  options,
  errorOf,
  onChange,
}: {
  options: KeyOptions
  errorOf: (field: OptionField) => string | undefined
  onChange: (options: KeyOptions) => void
}) {
  const set = (part: Partial<KeyOptions>) => onChange({ ...options, ...part })
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-2">
        <TextField
          label="Spend limit ($)"
          inputMode="decimal"
          value={options.limit}
          onChange={(event) => set({ limit: event.target.value })}
          placeholder="None"
          error={errorOf('limit')}
        />
        <Select
          label="Counted"
          value={options.period}
          onChange={(event) => set({ period: event.target.value === 'total' ? 'total' : 'month' })}
          options={[
            { value: 'month', label: 'Per month' },
            { value: 'total', label: 'In all' },
          ]}
        />
      </div>
      <TextField
        label="Allowed addresses"
        className="sm:col-span-2"
        value={options.addresses}
        onChange={(event) => set({ addresses: event.target.value })}
        placeholder="Anywhere"
        hint="Addresses or ranges, such as 203.0.113.0/24, separated by commas."
        error={errorOf('addresses')}
      />
      <Checkboxes
        label="Scopes"
        hint="No scopes selected: full access."
        values={scopes}
        chosen={options.scopes}
        onChange={(chosen) => set({ scopes: chosen })}
        columns="grid-cols-2 sm:grid-cols-4"
      />
    </>
  )
}
