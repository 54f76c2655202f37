/** The parts of an e-mail as its row keeps them. Each is plain text; render.ts makes both forms. */
export interface MailContent {
  subject: string
  lines: string[]
  /** Labels and values, as a small table. */
  facts?: [label: string, value: string][]
  /** A page of the site. */
  action?: {
    label: string
    path: string
    /** The link is a right: it is signed when the message is sent, and not kept with it. */
    signs?: { archiveId: string }
  }
  /** After the link. */
  closing?: string
}
