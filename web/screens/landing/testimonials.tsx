import { Section } from './section.tsx'

/** Each figure stands in docs/decisions or is run by a test; landing-figures.test.ts compares. */
export const cases = [
  {
    role: 'Documentary editor',
    text: 'Pull every passage where somebody is seen and heard talking, and catch sound that has slipped before it reaches the cut.',
    figure: '36 of 36',
    measured: 'clips with sound moved by 0.3 to 3 s were caught',
  },
  {
    role: 'Online editor',
    text: 'Get the cuts of a flattened master back as an EDL and conform from there.',
    figure: '0.980 F1',
    measured: 'for hard cuts of 42 real clips (scdet: 0.757)',
  },
  {
    role: 'Post-production engineer',
    text: 'Send new footage to the API from your ingest script and pick up an EDL when the job ends.',
    figure: '4 calls',
    measured: 'from a file to its EDL, in curl, JavaScript or Python',
  },
] as const

export function Testimonials() {
  return (
    <Section id="testimonials" name="In practice" title="What it is made for">
      <ul className="grid gap-8 md:grid-cols-3">
        {cases.map(({ role, text, figure, measured }) => (
          <li key={role} className="flex flex-col border-t-2 border-line pt-4">
            <h3 className="text-sm font-medium text-ink-3">{role}</h3>
            <p className="mt-2 mb-5 text-md text-pretty">{text}</p>
            <p className="mt-auto">
              <span className="timecode block text-xl font-medium">{figure}</span>
              <span className="text-ink-2">{measured}</span>
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-xs text-ink-3">
        Illustrative use cases, not customer quotes. The figures are our own measurements.
      </p>
    </Section>
  )
}
