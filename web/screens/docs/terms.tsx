import { Link } from 'react-router'
import { LegalPage, legalLinkClass } from '../../features/legal/legal-page.tsx'
import type { LegalSection } from '../../features/legal/legal-page.tsx'
import { supportAddress } from '../../app/support.ts'

const sections: LegalSection[] = [
  {
    id: 'agreement',
    title: 'This agreement',
    body: (
      <>
        <p>
          These terms are the agreement between you and CutIndex about the use of the website, the
          API and everything they do. By signing in, buying credits or calling the API you accept
          them. If you act for a company, you confirm that you may accept them on its behalf.
        </p>
        <p>If you do not agree, do not use the service.</p>
      </>
    ),
  },
  {
    id: 'service',
    title: 'What the service does',
    body: (
      <>
        <p>
          CutIndex analyses and indexes video, audio and text that you upload or refer to by
          address. It reports metadata, thumbnails, transcripts, shot changes, people talking and
          suggested cut points, and gives them out in formats for editing software such as EDL,
          FCPXML, XML, JSON and CSV.
        </p>
        <p>
          Findings are made by software and can be wrong. They help an editor and do not replace
          one: check them before you rely on them.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <p>
          You sign in with a GitHub or a Google account. You are responsible for that account, for
          the devices that are signed in, and for your API keys. A key is shown once, when it is
          made; whoever has it can use your credits. Delete a key that may have become known to
          others, and tell us about misuse without delay.
        </p>
        <p>You must be at least 13 years old, and old enough to make contracts where you live.</p>
      </>
    ),
  },
  {
    id: 'credits',
    title: 'Credits and prices',
    body: (
      <>
        <p>
          The service is prepaid. Accounts are pay-as-you-go and hold a balance in US dollars.
          Processing is charged from that balance by the second of media and by the extractor, at
          the prices shown on the website when the job is created. A job is never charged more than
          its quote, and an extractor that fails is not charged.
        </p>
        <ul>
          <li>Purchased credits never expire.</li>
          <li>
            Credits are non-refundable and cannot be exchanged for money, except where the law gives
            you a right that cannot be waived.
          </li>
          <li>Larger packages carry a bonus of up to 25%, credited together with the purchase.</li>
          <li>
            Eligible accounts receive $5 of free credits each month. Free credits expire at the end
            of that month and are not carried over.
          </li>
          <li>
            We may change prices with 30 days’ notice. Credits that you hold keep their value in
            dollars, and a job that has been created keeps its price.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'payment',
    title: 'Payment and auto-reload',
    body: (
      <>
        <p>
          Payments are made on the hosted checkout of our card payment provider. We never see or
          store complete card numbers. Taxes are added where we must collect them.
        </p>
        <p>
          You may save a card and switch on auto-reload. You then authorise us to charge your
          default card with the package you chose whenever your available balance falls below your
          threshold. You can switch it off, or change the card, at any time in your profile; charges
          made before that stay valid.
        </p>
      </>
    ),
  },
  {
    id: 'content',
    title: 'Your content',
    body: (
      <>
        <p>
          Your content stays yours. You give us only the permission that we need to run the service
          for you: to store it, to process it with the extractors that you choose, and to show and
          deliver the results to you. We do not train models on it.
        </p>
        <p>
          You confirm that you hold the rights to what you upload or refer to, including the consent
          of the people in it where that is needed. How long content and results are kept is written
          in the{' '}
          <Link to="/privacy#retention" className={legalLinkClass}>
            Privacy Policy
          </Link>
          . Keep your own copies: the service is not an archive.
        </p>
      </>
    ),
  },
  {
    id: 'conduct',
    title: 'What is not allowed',
    body: (
      <>
        <p>You may not use the service to</p>
        <ul>
          <li>process content that is illegal, or that you have no right to use;</li>
          <li>identify, track or harass people without a lawful reason;</li>
          <li>
            attack, overload or probe the service, or get around its limits, prices or access rules;
          </li>
          <li>obtain free credits with more than one account for one person;</li>
          <li>resell access to accounts or keys.</li>
        </ul>
        <p>We may suspend an account that does, after notice where notice is reasonable.</p>
      </>
    ),
  },
  {
    id: 'availability',
    title: 'Availability and changes',
    body: (
      <p>
        We work to keep the service available and correct, but we give it as it is, without a
        promise that it is free of faults or interruptions. We improve it continually and may change
        or end parts of it. If we end the service as a whole, we say so at least 30 days before, and
        you can use up your credits in that time.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Liability',
    body: (
      <p>
        As far as the law allows, we are not liable for indirect or consequential loss, such as lost
        profit, lost footage or a missed delivery, and our total liability is limited to what you
        paid us in the twelve months before the event. Nothing here limits liability that cannot be
        limited by law.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Ending this agreement',
    body: (
      <p>
        You can stop using the service at any time and ask us to delete your account. We may end
        this agreement if you break it seriously or repeatedly. Sections that by their nature
        outlast it, such as those on liability and on records that we must keep, stay in force.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes to these terms',
    body: (
      <p>
        We may change these terms. The date at the top says when we last did. We announce changes
        that matter to you before they take effect; prices change only with 30 days’ notice.
      </p>
    ),
  },
  {
    id: 'contact',
    title: 'Contact',
    body: (
      <p>
        Questions about these terms:{' '}
        <a href={`mailto:${supportAddress}`} className={legalLinkClass}>
          {supportAddress}
        </a>
        . What we do with personal data is described in the{' '}
        <Link to="/privacy" className={legalLinkClass}>
          Privacy Policy
        </Link>
        .
      </p>
    ),
  },
]

export function Terms() {
  return (
    <LegalPage
      title="Terms of Use"
      summary={
        <p>
          In short: you pay in advance in dollars and use credits by the second; purchased credits
          never expire and are non-refundable; your footage stays yours; prices change only with 30
          days’ notice. The sections below are what counts.
        </p>
      }
      sections={sections}
      other={{ to: '/privacy', label: 'Privacy Policy' }}
    />
  )
}
