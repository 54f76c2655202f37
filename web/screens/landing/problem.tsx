import { Section } from './section.tsx'

const chores = [
  {
    chore: 'Find every cut in a flattened master',
    byHand: 'Scrub it, razor it, scrub it again for the dissolves.',
    indexed: 'Cuts, dissolves, fades and wipes as frame numbers, with a threshold you can move.',
  },
  {
    chore: 'Pull the talking parts of an interview',
    byHand: 'Watch all of it, mark in and out, and still ship a moving mouth without a voice.',
    indexed: 'Spans where somebody visibly talks. Lip flap and voice-over are marked apart.',
  },
  {
    chore: 'Find the sentence you remember',
    byHand: 'Somewhere in reel three, you think.',
    indexed: 'A transcript with a time for every word. Type it, jump to the frame.',
  },
  {
    chore: 'Decide where to cut',
    byHand: 'Try it, play it, nudge it two frames, play it again.',
    indexed: 'Ranked frames with the reason beside each: sentence end, silence, shot change.',
  },
]

export function Problem() {
  return (
    <Section
      name="The problem"
      title="Most of an edit is looking for things"
      lead="Logging, string-outs and pulling selects are the hours before the work that you were hired for. Our goal: cut editing time by about 70%. Try it on your own footage."
    >
      {/* Under 640 px each row is a card. */}
      <table className="w-full text-left text-base max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="text-sm text-ink-3">
            <th scope="col" className="w-1/4 pb-2 font-medium">
              The chore
            </th>
            <th scope="col" className="w-1/3 pb-2 font-medium">
              By hand
            </th>
            <th scope="col" className="pb-2 font-medium">
              Indexed
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {chores.map((row) => (
            <tr key={row.chore} className="border-t border-line align-top max-sm:block max-sm:py-4">
              <th scope="row" className="font-medium max-sm:block sm:py-4 sm:pr-6">
                {row.chore}
              </th>
              <td className="text-ink-3 max-sm:mt-1 max-sm:block sm:py-4 sm:pr-6">
                <span className="sm:hidden">By hand: </span>
                {row.byHand}
              </td>
              <td className="text-ink-2 max-sm:mt-1 max-sm:block sm:py-4">
                <span className="text-ink sm:hidden">Indexed: </span>
                {row.indexed}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
