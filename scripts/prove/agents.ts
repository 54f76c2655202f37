/**
 * `npm run prove:agents`: agents that call tools at random, several at a time, never spend more than
 * the limit of their key, whatever they repeat, mix up or race for.
 */
import assert from 'node:assert/strict'
import { startWorking } from '../../server/jobs/work.ts'
import { startTestServer } from '../../test/support/app.ts'

const limitUsd = 0.2
const agents = 8

if (import.meta.main) {
  console.log(JSON.stringify(await proveAgents(Number(process.argv[2] ?? 10_000))))
}

export interface AgentsReport {
  calls: number
  started: number
  refusedByLimit: number
  refusedOtherwise: number
  spentUsd: number
  limitUsd: number
}

export async function proveAgents(calls: number): Promise<AgentsReport> {
  const server = await startTestServer()
  const worker = await startWorking(server.ctx, { slots: 1 })
  try {
    const user = await server.user()
    const limited = { name: 'agent', spend_limit: { usd: limitUsd, period: 'total' as const } }
    const { apiKey } = await user.client.createApiKey({ body: limited })
    const contentId = await uploadSound(server.url, apiKey.key)
    const report = { started: 0, refusedByLimit: 0, refusedOtherwise: 0 }
    const quotes: { quote_id: string; asked: object }[] = []
    const jobs: string[] = []
    let left = calls
    const call = async (name: string, args: object): Promise<Answer> => {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }
      const answer = await server.fetch('/mcp', {
        method: 'POST',
        token: apiKey.key,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(message),
      })
      const { result } = (await answer.json()) as { result?: { content: { text: string }[] } }
      const text = result?.content[0]?.text ?? '{}'
      return (text.startsWith('{') ? JSON.parse(text) : {}) as Answer
    }
    const step = async (): Promise<void> => {
      const choice = Math.random()
      if (choice < 0.35 || quotes.length === 0) {
        const start = random(90) / 10
        const asked = {
          content_id: contentId,
          extractors: pick([['ffprobe'], ['ffprobe', 'talking'], ['transcription']]),
          in_seconds: start,
          out_seconds: start + 0.1 + random(20) / 10,
        }
        const { quote_id } = await call('quote', asked)
        if (quote_id) quotes.push({ quote_id, asked })
      } else if (choice < 0.85) {
        const quote = pick(quotes)
        // Sometimes for what was not quoted, sometimes twice at once.
        const asked = random(10) === 0 ? pick(quotes).asked : quote.asked
        const order = { quote_id: quote.quote_id, ...asked }
        const times = random(5) === 0 ? 2 : 1
        const answers = await Promise.all(
          Array.from({ length: times }, () => call('analyse', order)),
        )
        for (const { job_id, error } of answers) {
          if (job_id) jobs.push(job_id)
          else if (error?.code === 'spend_limit') report.refusedByLimit += 1
          else report.refusedOtherwise += 1
        }
      } else if (choice < 0.9 && jobs.length > 0) {
        await call('job_status', { job_id: pick(jobs), wait_seconds: 0 })
      } else if (choice < 0.95) await call('list_content', { limit: 5 })
      else await call(pick(['search', 'export', 'nothing']), { query: 'a' })
    }
    const agent = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await step()
        if (left % 100 === 0) assert.ok((await spentUsd(server.url, apiKey.key)) <= limitUsd)
      }
    }
    await Promise.all(Array.from({ length: agents }, agent))
    report.started = new Set(jobs).size
    const total = await spentUsd(server.url, apiKey.key)
    assert.ok(total <= limitUsd, `$${total} of $${limitUsd}`)
    const all = await user.client.listJobs({ query: { limit: 100 } })
    const held = all.jobs.reduce((sum, job) => sum + job.cost_usd, 0)
    assert.ok(held <= limitUsd + 1e-9, `charged $${held}`)
    return { calls, ...report, spentUsd: total, limitUsd }
  } finally {
    await worker.stop()
    await server.stop()
  }
}

interface Answer {
  quote_id?: string
  job_id?: string
  error?: { code: string }
}

async function spentUsd(url: string, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/v1/api-keys/current`, { headers })
  return ((await answer.json()) as { apiKey: { spent_usd: number } }).apiKey.spent_usd
}

/** Ten seconds of silence: every range of it is an analysis of its own. */
async function uploadSound(url: string, key: string): Promise<string> {
  const samples = 80_000
  const wave = Buffer.alloc(44 + samples)
  wave.write('RIFF', 0)
  wave.writeUInt32LE(36 + samples, 4)
  wave.write('WAVEfmt ', 8)
  wave.writeUInt32LE(16, 16)
  wave.writeUInt16LE(1, 20)
  wave.writeUInt16LE(1, 22)
  wave.writeUInt32LE(8000, 24)
  wave.writeUInt32LE(8000, 28)
  wave.writeUInt16LE(1, 32)
  wave.writeUInt16LE(8, 34)
  wave.write('data', 36)
  wave.writeUInt32LE(samples, 40)
  wave.fill(128, 44)
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(wave)]), 'silence.wav')
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}/v1/content/upload`, { method: 'POST', headers, body: form })
  return ((await answer.json()) as { content: { id: string } }).content.id
}

function random(below: number): number {
  return Math.floor(Math.random() * below)
}

function pick<Item>(items: readonly Item[]): Item {
  return items[random(items.length)] as Item
}
