import { Badge } from '../../ui/badge.tsx'
import type { BadgeTone } from '../../ui/badge.tsx'
import { classes } from '../../ui/classes.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { callSnippets } from './call-snippets.ts'
import { typeText } from './openapi.ts'
import type { Operation, Schema } from './openapi.ts'
import { SchemaView } from './schema-view.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'

const tones: Record<string, BadgeTone> = {
  GET: 'brand',
  POST: 'good',
  PUT: 'warn',
  PATCH: 'warn',
  DELETE: 'bad',
}

/** One call: what it is for, what goes in, what comes out. */
export function OperationView({
  operation,
  schemas,
}: {
  operation: Operation
  schemas: Record<string, Schema>
}) {
  const { body } = operation
  const snippets = callSnippets(operation)
  const hasInput = body !== null || operation.parameters.length > 0
  return (
    <article
      id={operation.id}
      className="scroll-mt-4 border-t border-line py-6 [contain-intrinsic-size:auto_500px] [content-visibility:auto]"
    >
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tones[operation.method] ?? 'neutral'}>{operation.method}</Badge>
        <code className="text-base font-medium break-all">{operation.path}</code>
      </h3>
      <p className="mt-2 text-base">{operation.summary}</p>
      {operation.description && (
        <p className="mt-1 text-ink-2">
          <WithCode text={operation.description} />
        </p>
      )}
      <p className="mt-1 text-xs text-ink-3">{operation.access}</p>
      <div className={classes('mt-4 grid items-start gap-6', hasInput && 'xl:grid-cols-2')}>
        <div className={classes('min-w-0 flex-col gap-4', hasInput ? 'flex' : 'hidden')}>
          <Parameters parameters={operation.parameters} />
          {body && (
            <div>
              <h4 className="mb-1 font-medium">
                Body <span className="text-xs font-normal text-ink-3">{body.contentType}</span>
              </h4>
              <SchemaView schema={body.schema} schemas={schemas} />
            </div>
          )}
          {snippets.length === 0 && body?.example !== undefined && (
            <CodeBlock
              title={`Example body of ${operation.method} ${operation.path}`}
              code={JSON.stringify(body.example, null, 2)}
            />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {snippets.length > 0 && <SnippetTabs snippets={snippets} />}
          <Answers operation={operation} schemas={schemas} />
        </div>
      </div>
    </article>
  )
}

function Parameters({ parameters }: Pick<Operation, 'parameters'>) {
  if (parameters.length === 0) return null
  return (
    <div>
      <h4 className="mb-1 font-medium">Parameters</h4>
      <ul className="border-l border-line pl-3">
        {parameters.map((parameter) => (
          <li key={parameter.in + parameter.name} className="py-1">
            <code className="text-xs font-medium">{parameter.name}</code>{' '}
            <span className="text-xs text-ink-3">
              {parameter.in}, {typeText(parameter.schema ?? {})}
              {parameter.required ? '' : ', optional'}
            </span>
            {parameter.description && (
              <p className="text-xs text-ink-2">
                <WithCode text={parameter.description} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A text whose `quoted` parts are code. */
function WithCode({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

function Answers({
  operation,
  schemas,
}: {
  operation: Operation
  schemas: Record<string, Schema>
}) {
  const good = operation.answers.filter((answer) => /^[23]/.test(answer.status))
  const refusals = operation.answers.filter((answer) => !/^[23]/.test(answer.status))
  return (
    <div className="min-w-0">
      <h4 className="mb-1 font-medium">Responses</h4>
      {good.map((answer) => (
        <div key={answer.status} className="mb-2">
          <p className="text-ink-2">
            <span className="timecode text-good">{answer.status}</span> {answer.description}{' '}
            <span className="text-xs text-ink-3">{answer.contentType}</span>
          </p>
          {answer.schema && answer.contentType.includes('json') && (
            <div className="mt-1">
              <SchemaView schema={answer.schema} schemas={schemas} />
            </div>
          )}
        </div>
      ))}
      {refusals.length > 0 && <h4 className="mt-3 mb-1 font-medium">Errors</h4>}
      {refusals.length > 0 && (
        <ul className="text-xs text-ink-2">
          {refusals.map((answer) => (
            <li key={answer.status} className="py-0.5">
              <span className="timecode text-bad">{answer.status}</span>{' '}
              <WithCode text={answer.description.replace(/^Refused: /, '')} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
