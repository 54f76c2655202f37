import { Link } from 'react-router'
import type { Scope } from '../../../contract/endpoint.ts'
import { apiKeyExpiryDays, apiKeyPrefix, extractors } from '../../../domain/money/catalogue.ts'
import { formatUsd } from '../../../domain/money/money.ts'
import { errorRows } from '../../features/docs/errors.ts'
import { SnippetTabs } from '../../features/docs/snippet-tabs.tsx'
import { TestKeysTopic } from '../../features/docs/test-keys-topic.tsx'
import { Grid, linkClass, Topic } from '../../features/docs/topic.tsx'
import { WebhooksTopic } from '../../features/docs/webhooks-topic.tsx'
import {
  agentSnippet,
  checkKeySnippets,
  commandSnippet,
  environmentSnippet,
  errorExample,
  installSnippet,
  journeySnippets,
  quoteSnippets,
  watchSnippet,
} from '../../features/docs/snippets.ts'
import { useApiAddress } from '../../app/api-address.ts'
import { supportAddress } from '../../app/support.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

const topics = [
  { id: 'quick-start', title: 'Quick start' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'examples', title: 'Code examples' },
  { id: 'client', title: 'Client' },
  { id: 'command-line', title: 'Command line' },
  { id: 'agents', title: 'Agents' },
  { id: 'extractors', title: 'Extractors' },
  { id: 'environments', title: 'Environments' },
  { id: 'errors', title: 'Errors' },
  { id: 'idempotency', title: 'Idempotency' },
  { id: 'limits', title: 'Limits' },
  { id: 'progress', title: 'Progress' },
  { id: 'webhooks', title: 'Webhooks' },
  { id: 'test-keys', title: 'Test keys' },
  { id: 'help', title: 'Help' },
]

export function DeveloperDocs() {
  return (
    <div className="measure grid gap-x-12 gap-y-8 py-12 lg:grid-cols-[200px_1fr]">
      <nav aria-label="Topics" className="hidden self-start lg:sticky lg:top-20 lg:block">
        <ul className="border-l border-line">
          {topics.map((topic) => (
            <li key={topic.id}>
              <a href={`#${topic.id}`} className="block py-1 pl-3 text-ink-2 hover:text-ink">
                {topic.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article className="max-w-200 min-w-0">
        <h1 className="text-2xl font-semibold tracking-tight">Developer documentation</h1>
        <p className="mt-3 text-md text-ink-2">
          Everything that the screens do is a call that you can make with an API key: upload, quote,
          analyse, read the findings, export.
        </p>
        <div className="mt-5 flex flex-wrap gap-2">
          <ButtonLink to="/docs/api" look="primary" size="md">
            API reference
          </ButtonLink>
          <a
            href="/openapi.yaml"
            className="inline-flex h-8 items-center px-3 text-sm text-brand-ink underline underline-offset-2 pointer-coarse:h-11"
          >
            openapi.yaml
          </a>
        </div>
        <Start />
        <Authentication />
        <Topic id="examples" title="Code examples">
          <p>
            From a file to an EDL. Each example runs as it stands, with the two variables set and a{' '}
            <code>clip.mp4</code> in the working directory. A file that is already in your library
            answers 409; delete it or use its <code>canonical_url</code>.
          </p>
          <SnippetTabs snippets={journeySnippets} />
        </Topic>
        <Tools />
        <Extractors />
        <Environments />
        <Errors />
        <Rules />
        <WebhooksTopic />
        <TestKeysTopic />
        <Help />
      </article>
    </div>
  )
}

function Start() {
  return (
    <Topic id="quick-start" title="Quick start">
      <ol className="ml-5 list-decimal">
        <li>
          Sign in and create a key under{' '}
          <Link to="/profile#security-api-keys" className={linkClass}>
            Profile, Security, API keys
          </Link>
          . It is shown once.
        </li>
        <li>Put the address and the key into your environment.</li>
        <li>Ask who you are. The answer holds your balance.</li>
      </ol>
      <CodeBlock title="Environment" code={environmentSnippet(useApiAddress())} />
      <SnippetTabs snippets={checkKeySnippets} />
    </Topic>
  )
}

const scopeTexts: Record<Scope, string> = {
  'content:read': 'List and download content and projects.',
  'content:write': 'Upload, change and delete content and projects. Includes reading.',
  'jobs:read': 'Quote; read jobs, batches, findings and exports, also of cuts; follow events.',
  'jobs:write': 'Start, cancel and delete jobs and batches; save corrections. Includes reading.',
  search: 'Search the library.',
  'billing:read': 'Read the balance, the usage and the spend limit.',
  webhooks: 'Manage webhooks and read their deliveries.',
}

function Authentication() {
  return (
    <Topic id="authentication" title="Authentication">
      <p>
        Send the key as a bearer token: <code>Authorization: Bearer {apiKeyPrefix}…</code>. Keys
        start with <code>{apiKeyPrefix}</code> and end with a checksum, so that scanners recognise
        one that leaked. We store only a hash; a lost key cannot be shown again.
      </p>
      <p>
        A key lives for {apiKeyExpiryDays.join(', ')} days, as you choose. It may do what you do
        with content, jobs, results and balance. It may not manage keys, cards, auto-reload or
        sessions; those answer 403.
      </p>
      <p>
        A key can be limited when it is made and later: to scopes, to an amount per calendar month
        or in all, and to address ranges. A call outside of its scopes answers 403 with{' '}
        <code>missing_scope</code>; a job above its limit answers 402 with <code>spend_limit</code>{' '}
        and what is left. Held credit counts, and what a job does not use returns.{' '}
        <code>GET /v1/api-keys/current</code> tells a program what its key may do.
      </p>
      <Grid
        caption="Scopes"
        head={['Scope', 'Lets a key']}
        rows={Object.entries(scopeTexts).map(([scope, text]) => [
          <code key="scope">{scope}</code>,
          text,
        ])}
      />
    </Topic>
  )
}

function Tools() {
  const address = useApiAddress()
  return (
    <>
      <Topic id="client" title="Client">
        <p>
          The package <code>cutindex</code> has no dependencies and runs in Node 20, Deno, Bun and
          browsers (from pages of origins that the service allows). Every call is typed. Uploads
          resume, lists are iterators, and calls are sent again after 429, 503 and a lost
          connection, with an <code>Idempotency-Key</code> where they create something. Errors carry{' '}
          <code>code</code>, <code>status</code> and <code>advice</code>. <code>verifyWebhook</code>{' '}
          checks what a webhook brings.
        </p>
        <CodeBlock title="Install the client" code={installSnippet} />
      </Topic>
      <Topic id="command-line" title="Command line">
        <p>
          <code>npx cutindex login</code> keeps a key in a file that only you can read; without it
          the key comes from <code>CUTINDEX_API_KEY</code>. <code>--json</code> writes one object on
          a line, <code>--help</code> lists the options and exit codes.
        </p>
        <CodeBlock title="Command line" code={commandSnippet} />
        <p>
          <code>watch</code> takes every new file of a folder once it has stopped growing and writes
          the exports beside it. It can be stopped and started at any time: no file is analysed
          twice. Without <code>--once</code> it goes on.
        </p>
        <CodeBlock title="Watch a folder" code={watchSnippet} />
      </Topic>
      <Topic id="agents" title="Agents">
        <p>
          Agents use the same calls as tools (MCP): at <code>{address}/mcp</code> with a key as
          bearer token or by OAuth, or on your computer with the package.
        </p>
        <CodeBlock title="An agent’s settings" code={agentSnippet} />
        <p>
          Give an agent a key with a spend limit. It must ask for a quote before it can start
          anything, and nothing goes above the quote or the limit. These pages as text:{' '}
          <a href="/llms.txt" className={linkClass}>
            llms.txt
          </a>
          ,{' '}
          <a href="/docs/developer.md" className={linkClass}>
            developer.md
          </a>
          ,{' '}
          <a href="/docs/api.md" className={linkClass}>
            api.md
          </a>
          .
        </p>
      </Topic>
    </>
  )
}

function Extractors() {
  return (
    <Topic id="extractors" title="Extractors">
      <p>
        <code>workflow</code> is a comma-joined list of these ids. Media is charged by the second,
        rounded up. A quote costs nothing and is a ceiling.
      </p>
      <Grid
        caption="Extractors"
        head={['Id', 'Name', 'Finds', 'Per second']}
        rows={extractors.map((extractor) => [
          <code key="id">{extractor.id}</code>,
          extractor.name,
          extractor.summary,
          <span key="price" className="timecode">
            {formatUsd(extractor.microsPerSecond, 3)}
          </span>,
        ])}
      />
      <SnippetTabs snippets={quoteSnippets} />
    </Topic>
  )
}

function Environments() {
  return (
    <Topic id="environments" title="Environments">
      <Grid
        caption="Environments"
        head={['Environment', 'API', 'Payments']}
        rows={[
          ['Production', <code key="p">https://api.cutindex.com/v1</code>, 'real cards'],
          ['Development', <code key="d">https://api.dev.cutindex.com/v1</code>, 'test cards'],
          [
            'Local',
            <code key="l">http://localhost:3000/v1</code>,
            'a payment sandbox that comes with the server',
          ],
        ]}
      />
      <p>
        Accounts, keys and credits belong to one environment. Wherever the server runs, the API is
        under <code>/v1</code> of its address.
      </p>
    </Topic>
  )
}

function Errors() {
  return (
    <Topic id="errors" title="Errors">
      <p>
        Every refusal is JSON with <code>message</code> (a sentence for people; <code>error</code>{' '}
        holds the same) and <code>code</code> (one of a closed list, for programs).
      </p>
      <CodeBlock title="A refusal" code={errorExample} />
      <Grid
        caption="Statuses and codes"
        head={['Status', 'Codes', 'What to do']}
        rows={errorRows.map((row) => [
          <span key="status" className="timecode">
            {row.status}
          </span>,
          <code key="codes" className="text-xs">
            {row.codes.join(', ')}
          </code>,
          row.advice,
        ])}
      />
    </Topic>
  )
}

function Rules() {
  return (
    <>
      <Topic id="idempotency" title="Idempotency">
        <p>
          Send an <code>Idempotency-Key</code> of your own making with every POST that creates
          something. For 24 hours the same key with the same body gives the same answer and has one
          effect, however often it is sent. The same key with another body is 422; while the first
          is still being worked on it is 409. After a timeout, send the request again with the same
          key.
        </p>
      </Topic>
      <Topic id="limits" title="Limits">
        <ul className="ml-5 list-disc">
          <li>
            Uploads: 10 GiB and 6 hours of media. Above 64 MiB, prefer resumable uploads (tus).
          </li>
          <li>
            Lists: <code>limit</code> as the reference of each call says; <code>next_cursor</code>{' '}
            leads to the next page.
          </li>
          <li>
            Requests are limited by account and by address. Above the limit the answer is 429 with{' '}
            <code>Retry-After</code> in seconds.
          </li>
          <li>
            Addresses are fetched over http and https from public hosts only, with at most three
            redirects.
          </li>
        </ul>
      </Topic>
      <Topic id="progress" title="Progress">
        <p>
          <code>GET /v1/jobs/{'{id}'}/events</code> streams progress as server-sent events until the
          job has ended; <code>GET /v1/events</code> does so for all your jobs. Asking{' '}
          <code>GET /v1/jobs/{'{id}'}</code> once a second is fine too.
        </p>
      </Topic>
    </>
  )
}

function Help() {
  return (
    <Topic id="help" title="Help">
      <ul className="ml-5 list-disc">
        <li>
          <Link to="/docs/api" className={linkClass}>
            API reference
          </Link>
          : every call, field and answer
        </li>
        <li>
          <Link to="/#pricing" className={linkClass}>
            Pricing
          </Link>{' '}
          and the{' '}
          <Link to="/#calculator" className={linkClass}>
            cost calculator
          </Link>
        </li>
        <li>
          <a href={`mailto:${supportAddress}`} className={linkClass}>
            {supportAddress}
          </a>
          : name the <code>X-Request-Id</code> of the answer, and we find it
        </li>
      </ul>
    </Topic>
  )
}
