/**
 * Places where media tools cannot be locked in, made with this machine's own namespaces.
 *
 * The plain container has the rights of root in a container that was started without further options: the first 65,536 ids,
 * no new user namespaces, and no right to mount.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'

export interface PlainContainer {
  /** Words that stand before a command to run it inside. */
  wrap: string[]
  stop(): Promise<void>
}

/** Null where the tests themselves lack the rights to make one. */
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
 * A place with one user id and no further namespaces: neither bubblewrap nor another user works.
 * Null where this machine makes no namespaces, which is such a place itself.
 */
export function unlockedWrap(): string[] | null {
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
  const tried = spawnSync('bwrap', [...words.slice(1), 'true'], { stdio: 'ignore' })
  return tried.status === 0 ? words : null
}
