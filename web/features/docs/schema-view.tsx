import { useState } from 'react'
import { resolveSchema, typeText } from './openapi.ts'
import type { Schema } from './openapi.ts'

const deepest = 4

/** The fields of a schema; objects inside open on demand, to a depth. */
export function SchemaView({
  schema,
  schemas,
  depth = 0,
}: {
  schema: Schema
  schemas: Record<string, Schema>
  depth?: number
}) {
  const resolved = resolveSchema(schema, schemas)
  const inner = fieldsOf(resolved, schemas)
  if (!inner) return <p className="text-ink-2">{typeText(schema)}</p>
  return (
    <ul className="border-l border-line pl-3">
      {Object.entries(inner.properties ?? {}).map(([name, field]) => (
        <li key={name} className="py-1">
          <Field
            name={name}
            field={field}
            required={inner.required?.includes(name) ?? false}
            schemas={schemas}
            depth={depth}
          />
        </li>
      ))}
    </ul>
  )
}

function Field({
  name,
  field,
  required,
  schemas,
  depth,
}: {
  name: string
  field: Schema
  required: boolean
  schemas: Record<string, Schema>
  depth: number
}) {
  const [open, setOpen] = useState(false)
  const described = field.description ?? resolveSchema(field, schemas).description
  const line = (
    <>
      <code className="text-xs font-medium text-ink">{name}</code>{' '}
      <span className="text-xs text-ink-3">
        {typeText(field)}
        {limitsText(field)}
        {required ? '' : ', optional'}
      </span>
    </>
  )
  const inside = depth < deepest && fieldsOf(resolveSchema(field, schemas), schemas)
  return (
    <>
      {inside ? (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{line}</summary>
          {open && (
            <div className="mt-1">
              <SchemaView schema={inside} schemas={schemas} depth={depth + 1} />
            </div>
          )}
        </details>
      ) : (
        line
      )}
      {described && <p className="text-xs text-ink-2">{described}</p>}
    </>
  )
}

/** The object whose fields can be listed: the schema itself, its items, or its only real choice. */
function fieldsOf(schema: Schema, schemas: Record<string, Schema>): Schema | null {
  if (schema.properties) return schema
  if (schema.items) return fieldsOf(resolveSchema(schema.items, schemas), schemas)
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []).filter(
    (choice) => choice.type !== 'null',
  )
  const [only] = choices
  return only && choices.length === 1 ? fieldsOf(resolveSchema(only, schemas), schemas) : null
}

function limitsText(schema: Schema): string {
  const parts = [
    schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER
      ? `from ${schema.minimum}`
      : '',
    schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER
      ? `to ${schema.maximum}`
      : '',
    schema.maxLength !== undefined ? `at most ${schema.maxLength} characters` : '',
    schema.default !== undefined ? `default ${JSON.stringify(schema.default)}` : '',
  ].filter(Boolean)
  return parts.length > 0 ? `, ${parts.join(' ')}` : ''
}
