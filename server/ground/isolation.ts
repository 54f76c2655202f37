/**
 * Decides whether this process may hand strangers' files to media tools. Where the tools cannot be
 * isolated (engine/tools/isolate.ts), one that takes over a tool is the service: it reads its keys
 * and reaches its network. That risk is fit for a trial on one's own machine, never for a service
 * with real keys or a listener beyond loopback, unless the operator says so with MEDIA_SANDBOX=off.
 */
import { existsSync, readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import { isolationState } from '../../engine/tools/isolate.ts'
import type { IsolationState } from '../../engine/tools/isolate.ts'
import { findProgram } from '../../engine/tools/programs.ts'
import { seccompFilter } from '../../engine/tools/seccomp.ts'
import { isLoopback } from './allowed-address.ts'
import { Refusal } from './refusal.ts'
import type { Config } from './config.ts'

export interface Isolation {
  state: IsolationState
  mayAnalyse: boolean
}

export async function findIsolation(config: Config): Promise<Isolation> {
  return decideIsolation(config, await isolationState())
}

export function decideIsolation(config: Config, state: IsolationState): Isolation {
  const isAccepted = config.mediaSandbox === 'off' || !isExposed(config)
  return { state, mayAnalyse: state !== 'unlocked' || isAccepted }
}

export function refuseUnlocked({ mayAnalyse }: Isolation): void {
  if (mayAnalyse) return
  throw new Refusal(
    'unavailable',
    'This server cannot check or analyse files safely right now. Please try again later.',
    { retryAfterSeconds: 600 },
  )
}

/** Logs the isolation in one line at the start, as a warning unless fully locked. */
export function logIsolation(log: Logger, { state, mayAnalyse }: Isolation): void {
  const fields = { media_sandbox: state }
  if (state === 'locked') log.info(fields, 'media tools are locked in')
  else if (state === 'reduced') {
    log.warn(fields, 'media tools run as a user of their own, without namespaces')
  } else {
    const remedy = remedyFor(findObstacle())
    if (mayAnalyse) {
      log.warn(fields, `MEDIA TOOLS ARE NOT ISOLATED: use files that you trust. ${remedy}`)
    } else {
      const risk = 'MEDIA_SANDBOX=off accepts the risk.'
      log.error(fields, `media tools cannot be isolated, so nothing is analysed. ${remedy} ${risk}`)
    }
  }
}

/** Ubuntu's setting that denies namespaces to every program without a profile. */
const ubuntuRule = 'kernel.apparmor_restrict_unprivileged_userns'

type Obstacle = 'processor' | 'bubblewrap' | 'ubuntu' | 'namespaces'

function findObstacle(): Obstacle {
  if (seccompFilter() === null) return 'processor'
  if (findProgram('bwrap') === undefined) return 'bubblewrap'
  const file = `/proc/sys/${ubuntuRule.replaceAll('.', '/')}`
  const isRuled = existsSync(file) && readFileSync(file, 'utf8').trim() === '1'
  return isRuled ? 'ubuntu' : 'namespaces'
}

export function remedyFor(obstacle: Obstacle): string {
  if (obstacle === 'processor') return 'That needs an x64 or arm64 processor.'
  const first = {
    bubblewrap: 'Install bubblewrap',
    ubuntu: `Allow user namespaces (sudo sysctl ${ubuntuRule}=0, until the next boot)`,
    namespaces: 'Allow unprivileged user namespaces',
  }[obstacle]
  return `${first}, or in a container run as its root; then start CutIndex again.`
}

function isExposed({ host, stripe, github, google }: Config): boolean {
  const providers = [stripe.apiUrl, github?.url, google?.issuer].filter((url) => url !== undefined)
  return !isLocal(host) || providers.some((url) => !isLocal(new URL(url).hostname))
}

function isLocal(host: string): boolean {
  return host === 'localhost' || isLoopback(host.replace(/^\[|\]$/g, ''))
}
