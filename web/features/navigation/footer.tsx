import { Link } from 'react-router'
import { supportAddress } from '../../app/support.ts'

const columns = [
  {
    title: 'Product',
    links: [
      { to: '/#features', label: 'What it finds' },
      { to: '/#calculator', label: 'Calculator' },
      { to: '/#pricing', label: 'Pricing' },
    ],
  },
  {
    title: 'Developers',
    links: [
      { to: '/docs/developer', label: 'Documentation' },
      { to: '/docs/api', label: 'API reference' },
      { to: '/docs/editors', label: 'Editing software' },
      { to: '/openapi.yaml', label: 'openapi.yaml' },
      { to: '/status', label: 'Status' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: '/terms', label: 'Terms of Use' },
      { to: '/privacy', label: 'Privacy Policy' },
      { to: `mailto:${supportAddress}`, label: 'Contact support' },
    ],
  },
]

export function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="measure grid grid-cols-2 gap-8 py-10 sm:grid-cols-4">
        <p className="text-ink-3">
          CutIndex
          <br />
          Footage, indexed to the frame.
        </p>
        {columns.map((column) => (
          <nav key={column.title} aria-label={column.title}>
            <p className="font-medium">{column.title}</p>
            <ul className="mt-1.5">
              {column.links.map((link) => (
                <li key={link.to}>
                  <FooterLink {...link} />
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  )
}

function FooterLink({ to, label }: { to: string; label: string }) {
  const look = 'inline-block py-1 text-ink-2 hover:text-ink hover:underline pointer-coarse:py-2.5'
  return to.startsWith('mailto:') || to.endsWith('.yaml') ? (
    <a href={to} className={look}>
      {label}
    </a>
  ) : (
    <Link to={to} className={look}>
      {label}
    </Link>
  )
}
