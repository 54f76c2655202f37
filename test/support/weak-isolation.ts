/**
 * Places where media tools cannot be locked in, made with this machine's own namespaces.
 *
 * The plain container has the rights of root in a container that was started without further
 * options: the first 65,536 ids, no new user namespaces, and no right to mount.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { isolationState } from '../../engine/tools/isolate.ts'

export interface PlainContainer {
  /** Words that stand before a command to run it inside. */
  wrap: string[]
  stop(): Promise<void>
}

/** Opens a plain container; null if the tests lack the rights to make one. */
export async function openPlainContainer(): Promise<PlainContainer | null> {
  if (process.getuid?.() !== 0) return null
  // Prints a line as soon as it stands in its namespace, then waits for its end.
  const holder = spawn('unshare', ['--user', 'sh', '-c', 'echo; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(holder, 'exit')
  const stop = async (): Promise<void> => {
    holder.kill('SIGKILL')
    await exited
  }
  try {
    await Promise.race([
      once(holder.stdout, 'data'),
      exited.then(() => Promise.reject(new Error())),
    ])
    await writeFile(`/proc/${holder.pid}/uid_map`, '0 0 65536')
    await writeFile(`/proc/${holder.pid}/gid_map`, '0 0 65536')
  } catch {
    await stop()
    return null
  }
  const enter = ['nsenter', '--target', String(holder.pid), '--user', '--setuid=0', '--setgid=0']
  const close = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
  const drop = ['setpriv', '--inh-caps', '-sys_admin', '--bounding-set', '-sys_admin']
  return { wrap: [...enter, 'sh', '-c', close, 'sh', ...drop], stop }
}

/**
 * Words that lead to a place with one user id and no further namespaces, where neither bubblewrap
 * nor another user works: none where this machine is such a place, null where it cannot make one.
 */
export async function unlockedWrap(): Promise<string[] | null> {
  if ((await isolationState()) === 'unlocked') return []
  const words = [
    'bwrap',
    '--die-with-parent',
    '--dev-bind',
    '/',
    '/',
    '--unshare-user',
    '--disable-userns',
    '--',
  ]
  // From another user's closed home root cannot take the project along.
  const reads = ['test', '-r', import.meta.filename]
  const tried = spawnSync('bwrap', [...words.slice(1), ...reads], { stdio: 'ignore' })
  return tried.status === 0 ? words : null
}

/** The status of a service that lacks nothing else: it says so where tools cannot be isolated. */
export async function soundStatus(): Promise<'ok' | 'degraded'> {
  return (await isolationState()) === 'unlocked' ? 'degraded' : 'ok'
}

/** Whether another user reaches the project: not in the home of root, or in one that is closed. */
export function isOpenToOthers(): boolean {
  const user = ['--reuid=65534', '--regid=65534', '--clear-groups']
  const reads = ['test', '-r', import.meta.filename, '-a', '-x', process.execPath]
  return spawnSync('setpriv', [...user, ...reads]).status === 0
}
