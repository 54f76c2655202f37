/**
 * The code examples of the documentation. Each runs as it stands, with CUTINDEX_API and
 * CUTINDEX_API_KEY in the environment and a clip beside it: the tests do exactly that.
 */
export interface Snippet {
  id: string
  title: string
  language: 'curl' | 'typescript' | 'python'
  code: string
}

/** The same in each language, in the order of the tabs. */
export function inLanguages(code: Record<Snippet['language'], string>): readonly Snippet[] {
  return [
    { id: 'curl', title: 'curl', language: 'curl', code: code.curl },
    { id: 'typescript', title: 'TypeScript', language: 'typescript', code: code.typescript },
    { id: 'python', title: 'Python (requests)', language: 'python', code: code.python },
  ]
}

export function environmentSnippet(apiAddress: string): string {
  return `export CUTINDEX_API=${apiAddress}
export CUTINDEX_API_KEY=ci_live_...`
}

const curl = `# 1. Upload. The answer holds the item's canonical_url.
curl -sS --fail-with-body "$CUTINDEX_API/v1/content/upload" \\
  -H "Authorization: Bearer $CUTINDEX_API_KEY" \\
  -F file=@clip.mp4 > content.json
url=$(sed -n 's/.*"canonical_url":"\\([^"]*\\)".*/\\1/p' content.json)

# 2. Create a job. Within a day the same Idempotency-Key makes no second one.
curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs" \\
  -H "Authorization: Bearer $CUTINDEX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: first-job-of-clip-mp4" \\
  -d "{\\"content_url\\": \\"$url\\", \\"workflow\\": \\"ffprobe,shots\\"}" > job.json
id=$(sed -n 's/.*"job":{"id":"\\([^"]*\\)".*/\\1/p' job.json)

# 3. Wait until it has ended.
until curl -sS "$CUTINDEX_API/v1/jobs/$id" -H "Authorization: Bearer $CUTINDEX_API_KEY" |
  grep -qE '"status":"(completed|failed|canceled)"'; do sleep 1; done

# 4. Take the cuts away.
curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs/$id/export?format=edl" \\
  -H "Authorization: Bearer $CUTINDEX_API_KEY" -o clip.edl`

const typescript = `import { writeFile } from 'node:fs/promises'
import { CutIndex } from 'cutindex'
import { openFile } from 'cutindex/files'

const client = new CutIndex({
  apiKey: process.env.CUTINDEX_API_KEY ?? '',
  baseUrl: process.env.CUTINDEX_API,
})

// Uploads, creates the job, waits. Lost connections and restarts make nothing twice.
const job = await client.jobs.run(await openFile('clip.mp4'), {
  extractors: ['ffprobe', 'shots'],
  maxUsd: 1,
  onProgress: ({ phase, share }) => console.log(phase, share),
})

const edl = await client.jobs.export(job.id, { format: 'edl' })
await writeFile('clip.edl', await edl.data.text())
console.log(\`\${job.status}, charged $\${job.cost_usd}\`)`

const python = `import os, time, uuid
import requests

api = os.environ["CUTINDEX_API"] + "/v1"
session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['CUTINDEX_API_KEY']}"

def call(method, path, **options):
    response = session.request(method, api + path, timeout=120, **options)
    if not response.ok:
        problem = response.json()
        raise SystemExit(f"{response.status_code} {problem['code']}: {problem['message']}")
    return response

with open("clip.mp4", "rb") as clip:
    content = call("POST", "/content/upload", files={"file": clip}).json()["content"]

order = {"content_url": content["canonical_url"], "workflow": "ffprobe,shots"}
key = {"Idempotency-Key": str(uuid.uuid4())}
job = call("POST", "/jobs", json=order, headers=key).json()["job"]

while job["status"] not in ("completed", "failed", "canceled"):
    time.sleep(1)
    job = call("GET", f"/jobs/{job['id']}").json()["job"]

with open("clip.edl", "wb") as edl:
    edl.write(call("GET", f"/jobs/{job['id']}/export", params={"format": "edl"}).content)
print(job["status"], "charged", job["cost_usd"])`

export const journeySnippets: readonly Snippet[] = inLanguages({ curl, typescript, python })

export const installSnippet = 'npm install cutindex'

export const commandSnippet = `npx cutindex quote clip.mp4 --extractors ffprobe,shots
npx cutindex analyse clip.mp4 --extractors ffprobe,shots --export edl,fcpxml
npx cutindex search clip --json
npx cutindex balance`

export const watchSnippet = `npx cutindex watch . --extractors ffprobe,shots --export fcpxml --once`

export const agentSnippet = `{
  "mcpServers": {
    "cutindex": {
      "command": "npx",
      "args": ["cutindex", "mcp"],
      "env": { "CUTINDEX_API_KEY": "ci_live_..." }
    }
  }
}`

const head = {
  typescript: `import { CutIndex } from 'cutindex'

const client = new CutIndex({
  apiKey: process.env.CUTINDEX_API_KEY ?? '',
  baseUrl: process.env.CUTINDEX_API,
})`,
  python: `import os
import requests

api = os.environ["CUTINDEX_API"] + "/v1"
headers = {"Authorization": f"Bearer {os.environ['CUTINDEX_API_KEY']}"}`,
}

export const checkKeySnippets: readonly Snippet[] = inLanguages({
  curl: `curl -sS --fail-with-body "$CUTINDEX_API/v1/user/me" \\
  -H "Authorization: Bearer $CUTINDEX_API_KEY"`,
  typescript: `${head.typescript}
const me = await client.api.getMe()
console.log(me.email, me.account_balance_usd)`,
  python: `${head.python}
me = requests.get(f"{api}/user/me", headers=headers, timeout=120)
me.raise_for_status()
print(me.json()["email"], me.json()["account_balance_usd"])`,
})

export const quoteSnippets: readonly Snippet[] = inLanguages({
  curl: `curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs/quote" \\
  -H "Authorization: Bearer $CUTINDEX_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"content_url": "https://media.example.com/interview.mov", "workflow": "ffprobe,shots"}'`,
  typescript: `${head.typescript}
const { quote } = await client.api.quoteJob({
  body: { content_url: 'https://media.example.com/interview.mov', workflow: 'ffprobe,shots' },
})
console.log(quote.seconds, quote.total_usd, quote.id)`,
  python: `${head.python}
order = {"content_url": "https://media.example.com/interview.mov", "workflow": "ffprobe,shots"}
quote = requests.post(f"{api}/jobs/quote", json=order, headers=headers, timeout=120)
quote.raise_for_status()
print(quote.json()["quote"])`,
})

export const errorExample = `HTTP/1.1 402 Payment Required

{
  "message": "This job needs $7.50; $2.10 is available.",
  "error": "This job needs $7.50; $2.10 is available.",
  "code": "insufficient_credit",
  "required_usd": 7.5,
  "available_usd": 2.1
}`
