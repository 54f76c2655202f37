import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'

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
  const snippets = {
    curl: `curl -H "Authorization: Bearer $CUTINDEX_API_KEY" \\\n  ${address}`,
    javascript: `const response = await fetch('${address}', {\n  headers: { authorization: \`Bearer \${process.env.CUTINDEX_API_KEY}\` },\n})\nconst { results } = await response.json()\nconsole.log(results.shots?.changes)`,
    python: `import json, os, urllib.request\n\nrequest = urllib.request.Request(\n    '${address}',\n    headers={'Authorization': 'Bearer ' + os.environ['CUTINDEX_API_KEY']},\n)\nresults = json.load(urllib.request.urlopen(request))['results']\nprint(results.get('shots', {}).get('changes'))`,
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="This result by the API"
      description="With an API key from your profile’s security section."
      width="wide"
    >
      <Tabs
        label="Language"
        tabs={[
          { id: 'curl', label: 'curl', content: <CodeBlock title="curl" code={snippets.curl} /> },
          {
            id: 'javascript',
            label: 'JavaScript',
            content: <CodeBlock title="JavaScript" code={snippets.javascript} />,
          },
          {
            id: 'python',
            label: 'Python',
            content: <CodeBlock title="Python" code={snippets.python} />,
          },
        ]}
      />
    </Dialog>
  )
}
