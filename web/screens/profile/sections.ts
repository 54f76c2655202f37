export const sections = [
  { id: 'account', label: 'Account Info' },
  { id: 'billing', label: 'Billing & Credits' },
  { id: 'autoreload', label: 'Auto-Reload' },
  { id: 'usage', label: 'Usage History' },
  { id: 'security', label: 'Security' },
  { id: 'paymentmethods', label: 'Payment Methods' },
  { id: 'webhooks', label: 'Webhooks' },
] as const
export type SectionId = (typeof sections)[number]['id']

/** The section that an address's hash selects; an unknown one means the first. */
export function sectionOf(hash: string): SectionId {
  const name = hash.slice(1)
  if (name === 'security-api-keys') return 'security'
  return sections.find((section) => section.id === name)?.id ?? 'account'
}
