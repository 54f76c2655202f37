/** The words of every message. Text that a person typed comes in as plain text. */
import { formatBalanceUsd, formatUsd } from '../../domain/money/money.ts'
import type { MailContent } from './content.ts'

const dateOf = (moment: Date): string =>
  `${moment.toISOString().slice(0, 10)} ${moment.toISOString().slice(11, 16)} UTC`

interface Charge {
  packageName: string
  priceMicros: number
  bonusMicros: number
  /** For example `Visa •••• 4242`. */
  card: string | null
  number: string
  paidAt: Date
  availableMicros: number
  receiptPath: string
}

function chargeFacts(charge: Charge): [string, string][] {
  return [
    ['Package', charge.packageName],
    ['Charged', formatUsd(charge.priceMicros)],
    ['Credit added', formatUsd(charge.priceMicros + charge.bonusMicros)],
    ...(charge.card ? ([['Card', charge.card]] as [string, string][]) : []),
    ['Invoice', charge.number],
    ['Date', dateOf(charge.paidAt)],
    ['Balance now', formatBalanceUsd(charge.availableMicros)],
  ]
}

export function receiptMail(charge: Charge): MailContent {
  return {
    subject: `Receipt for ${formatUsd(charge.priceMicros)}`,
    lines: ['Thank you. Your payment went through and the credit is in your account.'],
    facts: chargeFacts(charge),
    action: { label: 'Open the invoice', path: charge.receiptPath },
    closing: 'Purchased credit does not expire.',
  }
}

export function reloadDoneMail(charge: Charge): MailContent {
  return {
    subject: `Auto-reload added ${formatUsd(charge.priceMicros + charge.bonusMicros)}`,
    lines: ['Your balance fell below your threshold, so your card was charged as you asked.'],
    facts: chargeFacts(charge),
    action: { label: 'Open the invoice', path: charge.receiptPath },
    closing: 'You can change or switch off auto-reload in your profile at any time.',
  }
}

export function reloadDeclinedMail(decline: {
  packageName: string
  priceMicros: number
  /** Why, as a sentence. */
  reason: string
  /** Null: auto-reload is off now. */
  nextTryAt: Date | null
}): MailContent {
  const next = decline.nextTryAt
    ? `The next try is on ${dateOf(decline.nextTryAt)}. To keep your jobs running, choose another card or buy credit now.`
    : 'Auto-reload is now off. Choose another card and switch it on again, or buy credit by hand.'
  return {
    subject: 'Auto-reload could not charge your card',
    lines: [decline.reason, 'Nothing was charged.', next],
    facts: [
      ['Package', decline.packageName],
      ['Amount', formatUsd(decline.priceMicros)],
    ],
    action: { label: 'Check your cards', path: '/profile#paymentmethods' },
  }
}

export function balanceLowMail(balance: {
  availableMicros: number
  thresholdMicros: number
}): MailContent {
  return {
    subject: `Your balance is below ${formatUsd(balance.thresholdMicros)}`,
    lines: [
      `You have ${formatBalanceUsd(balance.availableMicros)} left to spend. A job that costs more is not started.`,
    ],
    action: { label: 'Buy credit', path: '/profile#billing' },
    closing: 'Auto-reload can do this for you: you set the threshold and the package.',
  }
}

export function freeCreditMail(lot: { availableMicros: number; expiresAt: Date }): MailContent {
  return {
    subject: `${formatBalanceUsd(lot.availableMicros)} of free credit expires soon`,
    lines: [
      `This month’s free credit ends on ${dateOf(lot.expiresAt)}. It is spent before any credit that you bought.`,
    ],
    action: { label: 'Use it', path: '/dashboard' },
  }
}

export function jobFinishedMail(job: {
  id: string
  name: string
  status: string
  costMicros: number
  /** Why it failed. */
  message: string | null
}): MailContent {
  const isDone = job.status === 'completed'
  return {
    subject: `${isDone ? 'Analysis finished' : 'Analysis failed'}: ${job.name}`,
    lines: [
      isDone
        ? 'Your job has ended. The findings are ready to review and export.'
        : `Your job has failed and costs nothing. ${job.message ?? ''}`.trim(),
    ],
    facts: [
      ['File', job.name],
      ['Cost', formatUsd(job.costMicros)],
    ],
    action: { label: isDone ? 'Review the findings' : 'Open the job', path: `/jobs/${job.id}` },
  }
}

export function batchFinishedMail(batch: {
  completed: number
  failed: number
  costMicros: number
}): MailContent {
  const all = batch.completed + batch.failed
  return {
    subject: `Batch finished: ${batch.completed} of ${all} ${all === 1 ? 'clip' : 'clips'}`,
    lines: [
      batch.failed === 0
        ? 'Every clip of your batch was analysed.'
        : 'Your batch has ended. Clips that failed cost nothing and can be run again.',
    ],
    facts: [
      ['Analysed', String(batch.completed)],
      ...(batch.failed > 0 ? ([['Failed', String(batch.failed)]] as [string, string][]) : []),
      ['Cost', formatUsd(batch.costMicros)],
    ],
    action: { label: 'Open the library', path: '/library' },
  }
}

export function newKeyMail(key: {
  name: string
  hint: string
  createdAt: Date
  expiresAt: Date
}): MailContent {
  return {
    subject: 'A new API key was created',
    lines: ['Whoever holds this key can use your content, your jobs and your balance.'],
    facts: [
      ['Name', key.name],
      ['Begins with', `${key.hint}…`],
      ['Created', dateOf(key.createdAt)],
      ['Expires', dateOf(key.expiresAt)],
    ],
    action: { label: 'Check your keys', path: '/profile#security' },
    closing: 'If this was not you, delete the key and end your other sessions.',
  }
}

export function newSignInMail(signIn: {
  provider: string
  browser: string
  address: string
  at: Date
}): MailContent {
  return {
    subject: 'New sign-in to your account',
    lines: [
      'Somebody signed in from a browser or a network that your account has not used before.',
    ],
    facts: [
      ['Browser', signIn.browser],
      ['Address', signIn.address],
      ['Signed in with', signIn.provider === 'github' ? 'GitHub' : 'Google'],
      ['Date', dateOf(signIn.at)],
    ],
    action: { label: 'Check your sessions', path: '/profile#security' },
    closing: 'If this was not you, end that session and secure the account you sign in with.',
  }
}

export function webhookOffMail(webhook: {
  url: string
  failingSince: Date
  /** The last answer: a status, or what went wrong. */
  lastAnswer: string
}): MailContent {
  return {
    subject: 'A webhook was switched off',
    lines: [
      'Its address has not accepted an event for five days. Events are kept and can be sent again once it answers.',
    ],
    facts: [
      ['Address', webhook.url],
      ['Failing since', dateOf(webhook.failingSince)],
      ['Last answer', webhook.lastAnswer],
    ],
    action: { label: 'Check your webhooks', path: '/profile#webhooks' },
  }
}

export function dataExportMail(file: {
  archiveId: string
  path: string
  expiresAt: Date
}): MailContent {
  return {
    subject: 'Your data is ready',
    lines: [
      'The archive that you asked for holds everything we keep about your account, as JSON and CSV.',
      `The link works until ${dateOf(file.expiresAt)}, for whoever has it. Do not pass it on.`,
    ],
    action: {
      label: 'Download my data',
      path: file.path,
      signs: { archiveId: file.archiveId },
    },
    closing: 'If you did not ask for it, end your other sessions in your profile.',
  }
}
