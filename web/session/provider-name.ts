const names: Record<string, string> = { github: 'GitHub', google: 'Google' }

/** A sign-in provider as it writes itself. */
export function providerName(provider: string): string {
  return names[provider] ?? provider
}
