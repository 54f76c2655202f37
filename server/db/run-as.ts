/**
 * PostgreSQL refuses to run as root. Where root may make user namespaces, one that shows root as
 * nobody satisfies it. Where it may not, as in a plain container, or where the namespace does not
 * reach the folder, as in another user's home, a system user of its own runs the server and owns
 * the data.
 */
import { execFile } from 'node:child_process'
import { chmod, chown, lstat, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const userName = 'cutindex-db'

export interface ServerUser {
  /** Words to put before each program of PostgreSQL. */
  words: string[]
  /** Owner of the data folder and of the socket's folder. */
  uid: number
  gid: number
}

/** Determines which user runs the server here, and gives that user the data folder. */
export async function prepareUser(dir: string, native: string): Promise<ServerUser> {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (own.uid !== 0) return { words: [], ...own }
  await refuseForeign(dir)
  const namespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--']
  const enter = ['sh', '-c', '"$0" --version && cd "$1"', join(native, 'bin/postgres')]
  // Root in a namespace may not pass another user's closed home.
  if (await succeeds([...namespace, ...enter, dirname(dir)])) {
    await giveFolder(dir, own)
    return { words: namespace, ...own }
  }
  const user = await findOrCreateUser()
  await giveFolder(dir, user)
  await letThrough(dirname(dir), user)
  const switched = ['setpriv', ...[`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']]
  if (await succeeds([...switched, ...enter, dir])) return { words: switched, ...user }
  // Parent folders such as /root are closed to others; this capability alone reaches through them.
  // Without the securebit, access(2), by which initdb looks for its parts, would ignore the
  // capability.
  const right = ['--securebits=+no_setuid_fixup', '--inh-caps=+dac_override']
  const through = [...switched, ...right, '--ambient-caps=+dac_override']
  if (await succeeds([...through, ...enter, dir])) return { words: through, ...user }
  throw new Error(
    `PostgreSQL runs as the user ${userName} here, who cannot reach ${dir} or ${native}. ` +
      'Move CutIndex and DATA_DIR to folders that everybody may enter.',
  )
}

type User = Pick<ServerUser, 'uid' | 'gid'>

async function findOrCreateUser(): Promise<User> {
  const known = await findUser()
  if (known) return known
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir=/nonexistent']
  await run('useradd', [...options, '--shell=/usr/sbin/nologin', userName]).catch(() => undefined)
  const created = await findUser()
  if (created) return created
  throw new Error(
    `PostgreSQL does not run as root, and the user ${userName} for it cannot be made. ` +
      'Run CutIndex as an ordinary user, or set DATABASE_URL.',
  )
}

async function findUser(): Promise<User | null> {
  try {
    const { stdout: uid } = await run('id', ['-u', userName])
    const { stdout: gid } = await run('id', ['-g', userName])
    return { uid: Number(uid), gid: Number(gid) }
  } catch {
    return null
  }
}

/**
 * Refuses a folder of another user: if root took it, its owner could not start the product again.
 */
async function refuseForeign(dir: string): Promise<void> {
  const { uid } = await lstat(dir)
  if (uid === 0 || uid !== (await lstat(dirname(dir))).uid) return
  throw new Error(
    `The data in ${dirname(dir)} belong to the user with the number ${uid}. ` +
      `Run this as that user: sudo -u '#${uid}' …`,
  )
}

/** The data may have been made on a machine, or under a kernel, that allowed the other way. */
export async function giveFolder(dir: string, { uid, gid }: User): Promise<void> {
  if ((await lstat(dir)).uid === uid) return
  const own = (await readdir(dir)).filter((name) => ownName.test(name))
  const owner = ['--recursive', '--no-dereference', `${uid}:${gid}`, '--']
  await chown(dir, uid, gid)
  if (own.length > 0) await run('chown', [...owner, ...own.map((name) => join(dir, name))])
}

const ownName = /^(data|data\.new~.*|password|password\.new|postgres\.log|\.s\.PGSQL\..*)$/

/** DATA_DIR is closed to all but root; the group of the server's user may only pass through. */
async function letThrough(parent: string, { gid }: User): Promise<void> {
  const { uid, mode } = await lstat(parent)
  // The group may be that of an older container, in which the user had another number.
  if (uid !== 0 || (mode & 0o067) !== 0) return
  await chown(parent, uid, gid)
  await chmod(parent, 0o710)
}

async function succeeds([command = '', ...args]: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  )
}
