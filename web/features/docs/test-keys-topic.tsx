import { testFailures, testKeyPrefix, testObjects } from '../../../domain/money/catalogue.ts'
import { Grid, Topic } from './topic.tsx'

export function TestKeysTopic() {
  return (
    <Topic id="test-keys" title="Test keys">
      <p>
        Keys that start with <code>{testKeyPrefix}</code> take the same calls. Nothing is charged or
        analysed: a job ends at once with the sample clip’s findings laid onto the length of your
        file, and its webhooks are sent. Test objects, webhooks too, are apart from live ones, are
        gone after {testObjects.lifeHours} hours and hold 1 GB together. Start a file’s name with
        one of these to see an error.
      </p>
      <Grid
        caption="Errors by file name"
        head={['Name', 'The job']}
        rows={Object.entries(testFailures).map(([name, code]) => [
          <code key="name">fail-{name}.mp4</code>,
          name === 'credit' || name === 'limit' ? (
            <>
              is refused with 402 <code>{code}</code>
            </>
          ) : name === 'partial' ? (
            <>completes, but its last extractor fails</>
          ) : (
            <>
              fails with <code>{code}</code>
            </>
          ),
        ])}
      />
    </Topic>
  )
}
