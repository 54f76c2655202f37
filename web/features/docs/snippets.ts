/**
 * The code examples of the documentation. Each runs as it stands, with CUTINDEX_API and
 * CUTINDEX_KEY in the environment and a clip beside it: the tests do exactly that.
 */
export interface Snippet {
  id: string
  title: string
  language: 'curl' | 'javascript' | 'python'
  code: string
}

export function environmentSnippet(apiAddress: string): string {
  return `export CUTINDEX_API=${apiAddress}
export CUTINDEX_KEY=ci_live_...`
}

const curl = `# 1. Upload. The answer holds the item's canonical_url.
curl -sS --fail-with-body "$CUTINDEX_API/v1/content/upload" \\
  -H "Authorization: Bearer $CUTINDEX_KEY" \\
  -F file=@clip.mp4 > content.json
url=$(sed -n 's/.*"canonical_url":"\\([^"]*\\)".*/\\1/p' content.json)

# 2. Create a job. The same Idempotency-Key never makes a second one.
curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs" \\
  -H "Authorization: Bearer $CUTINDEX_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: first-job-of-clip-mp4" \\
  -d "{\\"content_url\\": \\"$url\\", \\"workflow\\": \\"ffprobe,shots\\"}" > job.json
id=$(sed -n 's/.*"job":{"id":"\\([^"]*\\)".*/\\1/p' job.json)

# 3. Wait until it has ended.
until curl -sS "$CUTINDEX_API/v1/jobs/$id" -H "Authorization: Bearer $CUTINDEX_KEY" |
  grep -qE '"status":"(completed|failed|canceled)"'; do sleep 1; done

# 4. Take the cuts away.
curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs/$id/export?format=edl" \\
  -H "Authorization: Bearer $CUTINDEX_KEY" -o clip.edl`

const javascript = `import { readFile, writeFile } from 'node:fs/promises'

const api = \`\${process.env.CUTINDEX_API}/v1\`
const headers = { Authorization: \`Bearer \${process.env.CUTINDEX_KEY}\` }

async function call(path, options = {}) {
  const response = await fetch(api + path, {
    ...options,
    headers: { ...headers, ...options.headers },
  })
  if (response.ok) return response
  const { code, message } = await response.json()
  throw new Error(\`\${response.status} \${code}: \${message}\`)
}

const form = new FormData()
form.append('file', new Blob([await readFile('clip.mp4')]), 'clip.mp4')
const upload = await call('/content/upload', { method: 'POST', body: form })
const { content } = await upload.json()

const created = await call('/jobs', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ content_url: content.canonical_url, workflow: 'ffprobe,shots' }),
})
let { job } = await created.json()

while (!['completed', 'failed', 'canceled'].includes(job.status)) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  job = (await (await call(\`/jobs/\${job.id}\`)).json()).job
}

const edl = await call(\`/jobs/\${job.id}/export?format=edl\`)
await writeFile('clip.edl', await edl.text())
console.log(\`\${job.status}, charged $\${job.cost_usd}\`)`

const python = `import json, os, time, urllib.request, uuid

api = os.environ["CUTINDEX_API"] + "/v1"
key = os.environ["CUTINDEX_KEY"]

def call(path, data=None, headers={}):
    request = urllib.request.Request(
        api + path, data=data, headers={"Authorization": f"Bearer {key}", **headers}
    )
    with urllib.request.urlopen(request) as response:
        return response.read()

boundary = uuid.uuid4().hex
with open("clip.mp4", "rb") as clip:
    body = (
        f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; '
        f'filename="clip.mp4"\\r\\nContent-Type: video/mp4\\r\\n\\r\\n'
    ).encode() + clip.read() + f"\\r\\n--{boundary}--\\r\\n".encode()
form = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
content = json.loads(call("/content/upload", body, form))["content"]

order = {"content_url": content["canonical_url"], "workflow": "ffprobe,shots"}
job = json.loads(call("/jobs", json.dumps(order).encode(), {
    "Content-Type": "application/json",
    "Idempotency-Key": str(uuid.uuid4()),
}))["job"]

while job["status"] not in ("completed", "failed", "canceled"):
    time.sleep(1)
    job = json.loads(call(f"/jobs/{job['id']}"))["job"]

with open("clip.edl", "wb") as edl:
    edl.write(call(f"/jobs/{job['id']}/export?format=edl"))
print(job["status"], "charged", job["cost_usd"])`

export const journeySnippets: readonly Snippet[] = [
  { id: 'curl', title: 'curl', language: 'curl', code: curl },
  { id: 'javascript', title: 'JavaScript (Node 20+)', language: 'javascript', code: javascript },
  { id: 'python', title: 'Python 3', language: 'python', code: python },
]

export const checkKeySnippet = `curl -sS "$CUTINDEX_API/v1/user/me" \\
  -H "Authorization: Bearer $CUTINDEX_KEY"`

export const quoteSnippet = `curl -sS --fail-with-body "$CUTINDEX_API/v1/jobs/quote" \\
  -H "Authorization: Bearer $CUTINDEX_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"content_url": "'"$url"'", "workflow": "ffprobe,shots"}'`

export const errorExample = `HTTP/1.1 402 Payment Required

{
  "message": "This job needs $7.50; $2.10 is available.",
  "error": "This job needs $7.50; $2.10 is available.",
  "code": "insufficient_credit",
  "required_usd": 7.5,
  "available_usd": 2.1
}`
