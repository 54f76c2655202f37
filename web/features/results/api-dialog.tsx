import { shownIdLength } from '../../../domain/money/catalogue.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const languages = [
  { id: 'curl', label: 'curl' },
  { id: 'javascript', label: 'JavaScript' },
  { id: 'python', label: 'Python' },
] as const

/** The same result by a program: what this screen shows, as a call. */
export function ApiDialog({
  jobId,
  base,
  onClose,
}: {
  jobId: string
  base: string
  onClose: () => void
}) {
  const address = `${base}/v1/jobs/${jobId}/results`
  const shortId = jobId.slice(0, shownIdLength)
  const snippets = {
    curl: `curl -H "Authorization: Bearer $CUTINDEX_API_KEY" \\\n  ${address}`,
    javascript: `const response = await fetch('${address}', {\n  headers: { authorization: \`Bearer \${process.env.CUTINDEX_API_KEY}\` },\n})\nconst { results } = await response.json()\nconsole.log(results.shots?.changes)`,
    python: `import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    '${address}',\n    headers={'Authorization': 'Bearer ' + os.environ['CUTINDEX_API_KEY']},\n)\nresults = json.load(urllib.request.urlopen(request))['results']\nprint(results.get('shots', {}).get('changes'))`,
  }
  return (
    <Dialog
      onClose={onClose}
      title="Get this result with the API"
      description="Use an API key from Profile › Security."
      width="wide"
    >
      <Tabs
        label="Language"
        isFlush
        tabs={languages.map(({ id, label }) => ({
          id,
          label,
          content: (
            <div className="pt-4">
              <CodeBlock title={`GET /v1/jobs/${shortId}…/results`} code={snippets[id]} />
            </div>
          ),
        }))}
      />
    </Dialog>
  )
}
