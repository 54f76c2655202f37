/** Kinds of e-mail, each switched off on its own. Without a schema, since the web reads it too. */
export const mailKinds = [
  {
    id: 'receipt',
    name: 'Receipts',
    description: 'A receipt for each purchase.',
    standard: true,
  },
  {
    id: 'auto_reload',
    name: 'Auto-reload',
    description: 'Your card was charged or declined.',
    standard: true,
  },
  {
    id: 'balance_low',
    name: 'Low balance',
    description: 'Your credit is running out and auto-reload is off.',
    standard: true,
  },
  {
    id: 'security',
    name: 'Sign-ins and keys',
    description: 'A new API key, or a sign-in from a new browser or network.',
    standard: true,
  },
  {
    id: 'webhooks',
    name: 'Webhooks',
    description: 'A webhook was switched off because its address did not answer.',
    standard: true,
  },
  {
    id: 'finished',
    name: 'Finished work',
    description: 'A batch has ended, or a job that took longer than 10 minutes.',
    standard: false,
  },
  {
    id: 'free_credit',
    name: 'Free credit',
    description: 'Free credit expires within three days.',
    standard: false,
  },
] as const

export type MailKind = (typeof mailKinds)[number]['id']
export const mailKindIds = mailKinds.map((kind) => kind.id) as [MailKind, ...MailKind[]]
