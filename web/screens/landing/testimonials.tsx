import { Badge } from '../../ui/badge.tsx'
import { Section } from './section.tsx'

const examples = [
  {
    words:
      'Forty hours of interviews, and the assistant had a string-out of every talking part before lunch.',
    role: 'Documentary editor',
  },
  {
    words:
      'They handed us the flattened master of a lost project. The EDL gave us the cuts back, dissolves included.',
    role: 'Online editor',
  },
  {
    words:
      'I put the JSON into our own panel with the key in one evening. Nobody asked us to call sales.',
    role: 'Post-production engineer',
  },
]

export function Testimonials() {
  return (
    <Section
      name="In your words"
      title="What we want you to be able to say"
      lead="Examples of the work it is made for, written by us: no customer stands behind them yet."
    >
      <ul className="grid gap-8 md:grid-cols-3">
        {examples.map((example) => (
          <li key={example.role} className="border-t-2 border-line pt-4">
            <figure>
              <blockquote className="text-md text-pretty">“{example.words}”</blockquote>
              <figcaption className="mt-4 flex items-center gap-2 text-ink-3">
                <Badge>Example</Badge> {example.role}
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
