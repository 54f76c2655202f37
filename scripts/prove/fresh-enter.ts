/**
 * Runs a command in a root of its own: new mount and pid namespaces, pivot_root, the network of this
 * machine. As a plain container it also has the first 65,536 user ids of a user namespace, may make no
 * further one and may not mount. A user has no rights, and may make no user namespace either.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'

export interface FreshUser {
  name: string
  uid: number
  home: string
}

export interface Entered {
  /** Everything that the command has printed so far. */
  output: () => string
  exited: Promise<number | null>
  /** Asks the process whose command holds the word to end. `unshare` would keep the signal. */
  terminate: (word: string) => void
}

// The first line says that the namespaces stand; then it waits until the ids are mapped.
const enter = `
set -e
echo entered; read -r mapped
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mkdir -p "$ROOT/proc" "$ROOT/dev" "$ROOT/sys" "$ROOT/.old"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount --rbind /sys "$ROOT/sys"
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
cd "$ROOT"
pivot_root . .old
umount -l /.old
# A new process, for this shell was started before its user was mapped and has no rights itself.
[ "$PLAIN" = 0 ] || /bin/sh -c 'echo 0 > /proc/sys/user/max_user_namespaces'
exec $DROP /bin/sh -c "cd '$FOLDER' && $COMMAND"
`

export async function enterRoot(
  root: string,
  command: string,
  options: {
    folder: string
    plainContainer?: boolean
    user?: FreshUser
    environment?: Record<string, string>
    /** Also receives the output while the command runs. */
    print?: (text: string) => void
  },
): Promise<Entered> {
  const { user } = options
  const plain = options.plainContainer ?? user !== undefined
  const child = spawn(
    'unshare',
    [
      ...(plain ? ['--user'] : []),
      ...['--mount', '--pid', '--fork', '--kill-child=SIGKILL', '/bin/sh', '-c', enter],
    ],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: user?.home ?? '/root',
        ...options.environment,
        ROOT: root,
        FOLDER: options.folder,
        COMMAND: command,
        PLAIN: plain ? '1' : '0',
        DROP: user ? becomeUser(user) : plain ? dropMounting : '',
      },
    },
  )
  let output = ''
  const keep = (text: string): void => {
    output += text
    options.print?.(text)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  await once(child.stdout, 'data')
  if (plain) {
    await writeFile(`/proc/${child.pid}/uid_map`, '0 0 65536')
    await writeFile(`/proc/${child.pid}/gid_map`, '0 0 65536')
  }
  child.stdin.end('mapped\n')
  const terminate = (word: string): void => {
    const found = descendants(child.pid ?? 0).find((pid) => read(pid, 'cmdline').includes(word))
    if (found === undefined) throw new Error(`No process of the root runs ${word}.`)
    process.kill(found, 'SIGTERM')
  }
  return { output: () => output, exited, terminate }
}

const dropMounting = 'setpriv --inh-caps -sys_admin --bounding-set -sys_admin'

function becomeUser({ uid }: FreshUser): string {
  return `setpriv --reuid=${uid} --regid=${uid} --clear-groups --inh-caps=-all --bounding-set=-all`
}

/** The nearest first. */
function descendants(pid: number): number[] {
  const children = read(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
  return [...children, ...children.flatMap(descendants)]
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
