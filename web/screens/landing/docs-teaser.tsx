import { apiKeyPrefix } from '../../../domain/money/catalogue.ts'
import { useApiAddress } from '../../app/api-address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from './section.tsx'

function example(apiAddress: string): string {
  return `curl -X POST ${apiAddress}/v1/jobs \\
  -H "Authorization: Bearer ${apiKeyPrefix}..." \\
  -H "Content-Type: application/json" \\
  -d '{
    "content_url": "https://example.com/interview.mov",
    "workflow": "shots,talking,cutpoints"
  }'`
}

export function DocsTeaser() {
  return (
    <Section
      id="docs"
      name="Developers"
      title="Everything on the screen is a call you can make"
      lead="API keys, idempotent requests, server-sent progress and an OpenAPI description. A key does what you do: content, jobs, results, exports."
    >
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_320px]">
        <CodeBlock title="Create a job" code={example(useApiAddress())} />
        <div className="flex flex-col items-start gap-2">
          <ButtonLink to="/docs/developer" look="primary" size="md">
            Read the documentation
          </ButtonLink>
          <ButtonLink to="/docs/api" size="md">
            API reference
          </ButtonLink>
        </div>
      </div>
    </Section>
  )
}
