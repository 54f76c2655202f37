import { Link } from 'react-router'
import { LegalPage, legalLinkClass } from '../../features/legal/legal-page.tsx'
import type { LegalSection } from '../../features/legal/legal-page.tsx'
import { privacyAddress } from '../../app/support.ts'

const retention = [
  ['Usage logs', '90 days'],
  ['Uploaded content', 'until you delete it, or after 90 days of inactivity'],
  ['Results of jobs', '1 year'],
  ['Transactions', '7 years, as accounting law asks'],
  ['Shared links and the comments on them', 'until deleted, or 90 days after the link has ended'],
  ['Account data', 'until the account is deleted'],
  ['Audit log of your account: changes, by whom and from where', '1 year'],
  ['Places that you signed in from, as a hash', '1 year'],
  ['Counts of page views and events', '400 days, without persons'],
]

const sections: LegalSection[] = [
  {
    id: 'collect',
    title: 'What we collect',
    body: (
      <ul>
        <li>
          <strong>From your sign-in provider</strong> (GitHub or Google): your identifier there,
          e-mail address, username, name and picture. Never your password.
        </li>
        <li>
          <strong>From you</strong>: the content that you upload or refer to, the jobs that you
          create, and what you write to us.
        </li>
        <li>
          <strong>From payments</strong>: amounts, times, and the brand, last four digits and expiry
          of saved cards. The card number goes to the payment provider only.
        </li>
        <li>
          <strong>From use</strong>: which calls were made when, with which key, from which network
          address. Logs hold identifiers, not content.
        </li>
        <li>
          <strong>From visitors of a shared link</strong>: the name and the comments that they write
          there. They need no account, and we ask for no e-mail address.
        </li>
        <li>
          <strong>In your browser</strong>: your session, theme and colours, and changes that could
          not be saved yet, in local storage; on a shared link the name, comments that are not sent
          yet, and what lets this device change its own. We set no advertising cookies.
        </li>
      </ul>
    ),
  },
  {
    id: 'use',
    title: 'What we use it for',
    body: (
      <>
        <p>
          To run the service: to sign you in, process what you ask for, show results, charge and
          account for credits, answer you, keep the service secure and find faults.
        </p>
        <p>
          We count page views, logins and purchases to see which parts are used. A count holds the
          day, the page and how often it was seen: no cookie, no network address, no account and no
          identifier of you or your browser. Counts are deleted after 400 days.
        </p>
        <p>
          To tell who speaks, voices and faces of a file are compared with each other while it is
          analysed. We keep no voice prints and no face prints: results say that one voice or face
          is heard or seen at these times, and nothing is compared with another file.
        </p>
        <p>
          We do not sell personal data, show advertising or train models on your content. The legal
          bases are our contract with you, our legal duties, and our interest in a secure and useful
          service.
        </p>
      </>
    ),
  },
  {
    id: 'share',
    title: 'Who else sees it',
    body: (
      <>
        <ul>
          <li>The payment provider, for purchases, saved cards and auto-reload.</li>
          <li>GitHub or Google, when you sign in with them.</li>
          <li>Hosting companies that store and process data on our behalf, under contract.</li>
          <li>Authorities, where the law obliges us.</li>
        </ul>
        <p>Each gets what its task needs and nothing more.</p>
        <p>
          Anyone who has a link that you share sees what it shows: the picture, the sound and the
          words of that cut or clip, its name and its project’s, your name, and the comments on it.
          Nothing else of your account. You can revoke a link at any time, and delete comments.
        </p>
      </>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    body: (
      <table className="w-full text-left text-base">
        <thead className="sr-only">
          <tr>
            <th scope="col">Data</th>
            <th scope="col">Kept for</th>
          </tr>
        </thead>
        <tbody>
          {retention.map(([what, howLong]) => (
            <tr key={what} className="border-t border-line align-top">
              <th scope="row" className="w-2/5 py-2 pr-4 font-medium text-ink">
                {what}
              </th>
              <td className="py-2">{howLong}</td>
            </tr>
          ))}
        </tbody>
      </table>
    ),
  },
  {
    id: 'security',
    title: 'How we protect it',
    body: (
      <>
        <p>
          Connections are encrypted. Session tokens and API keys are stored only as hashes. Media is
          opened in a sandbox without network access, and each account sees its own data only.
        </p>
        <p>
          If a breach puts your data at risk, we tell you and the authorities in charge, typically
          within 72 hours of learning of it.
        </p>
      </>
    ),
  },
  {
    id: 'rights',
    title: 'What you can ask for',
    body: (
      <>
        <p>
          You can ask what we hold about you, have it corrected, exported or deleted, object to a
          use of it, or withdraw a consent. You can delete content and keys yourself at any time.
        </p>
        <p>
          Write to{' '}
          <a href={`mailto:${privacyAddress}`} className={legalLinkClass}>
            {privacyAddress}
          </a>
          . We answer requests within 30 days. You can also complain to your data protection
          authority.
        </p>
      </>
    ),
  },
  {
    id: 'children',
    title: 'Children',
    body: (
      <p>
        The service is not for children under 13, and we do not knowingly collect their data. If you
        believe that a child has given us data, tell us and we delete it.
      </p>
    ),
  },
  {
    id: 'transfers',
    title: 'Where it is processed',
    body: (
      <p>
        Data may be processed in countries other than yours. Where the law asks for safeguards for
        such transfers, we use the contracts that it provides.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to this policy',
    body: (
      <p>
        The date at the top says when we last changed this policy. We announce changes that matter
        to you before they take effect. The agreement for using the service is in the{' '}
        <Link to="/terms" className={legalLinkClass}>
          Terms of Use
        </Link>
        .
      </p>
    ),
  },
]

export function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      summary={
        <p>
          In short: we keep what the service needs, for as long as it needs it, and do not sell it
          or train on it. Uploaded footage goes when you delete it, or after 90 days of inactivity.
        </p>
      }
      sections={sections}
      other={{ to: '/terms', label: 'Terms of Use' }}
    />
  )
}
