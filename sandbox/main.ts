/** The sandbox as a process of its own: settings from the environment, one line when ready. */
import { startSandbox } from './sandbox.ts'
import type { SandboxOptions } from './sandbox.ts'

const sandbox = await startSandbox(readOptions(process.env))
console.log(JSON.stringify({ ready: true, url: sandbox.url }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    sandbox.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
}

function readOptions(environment: NodeJS.ProcessEnv): SandboxOptions {
  const text = (name: string, otherwise: string): string => environment[name] || otherwise
  const port = Number(text('SANDBOX_PORT', '0'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error('SANDBOX_PORT must be a port number.')
  }
  const smtpPort = Number(text('SANDBOX_SMTP_PORT', '0'))
  if (!Number.isInteger(smtpPort) || smtpPort < 0 || smtpPort > 65_535) {
    throw new Error('SANDBOX_SMTP_PORT must be a port number.')
  }
  const webhookUrl = environment['SANDBOX_WEBHOOK_URL']
  return {
    port,
    smtpPort,
    dataDir: environment['SANDBOX_DATA_DIR'] || undefined,
    publicUrl: environment['SANDBOX_PUBLIC_URL']?.replace(/\/$/, '') || undefined,
    webhook: webhookUrl
      ? { url: webhookUrl, secret: text('SANDBOX_WEBHOOK_SECRET', 'whsec_sandbox') }
      : undefined,
    stripe: {
      secretKey: text('SANDBOX_STRIPE_SECRET_KEY', 'sk_test_sandbox'),
      publishableKey: text('SANDBOX_STRIPE_PUBLISHABLE_KEY', 'pk_test_sandbox'),
    },
    github: readClient('GITHUB'),
    google: readClient('GOOGLE'),
  }

  function readClient(name: string) {
    return {
      id: text(`SANDBOX_${name}_CLIENT_ID`, `sandbox-${name.toLowerCase()}`),
      secret: text(`SANDBOX_${name}_CLIENT_SECRET`, `sandbox-${name.toLowerCase()}-secret`),
      redirectUris: text(`SANDBOX_${name}_REDIRECT_URIS`, '')
        .split(',')
        .map((uri) => uri.trim())
        .filter((uri) => uri !== ''),
    }
  }
}
