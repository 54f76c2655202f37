import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { isOpenToOthers, openPlainContainer } from '../../test/support/weak-isolation.ts'
import { isolate, isolationState, sendFilter } from './isolate.ts'
import type { IsolationState } from './isolate.ts'
import { inputGuards, runTool } from './run.ts'
import { seccompFilter } from './seccomp.ts'
import { useFolder } from '../../test/support/use.ts'

const states: IsolationState[] = ['locked', 'reduced', 'unlocked']
const clip = path.resolve(import.meta.dirname, '../../web/public/demo.mp4')
const limits = { memoryBytes: 2 * 1024 ** 3, cpuSeconds: 30, fileBytes: 1024 ** 3 }

const room = useFolder()

/** Asked of the machine itself: what the product says of it is under test. */
const shown = ['--ro-bind', '/', '/', '--proc', '/proc', '--ro-bind', import.meta.dirname, '/mnt']
const canLock = spawnSync('bwrap', ['--unshare-all', ...shown, 'true']).status === 0

test('tools are locked in wherever the machine can', { skip: !canLock }, async () => {
  assert.equal(await isolationState(), 'locked')
})

/** Runs the test where the machine can isolate so far. */
function testIn(state: IsolationState, name: string, run: () => Promise<void>): void {
  test(`${state}: ${name}`, async (t) => {
    if (state === 'locked' && !canLock) return t.skip('the machine cannot lock tools in')
    if (state === 'reduced' && process.getuid?.() !== 0) return t.skip('only root can')
    await run()
  })
}

for (const state of states) {
  testIn(state, 'sockets, processes, namespaces and ptrace are refused', async () => {
    const call = process.arch === 'x64' ? callsOfIntel : callsOfArm
    const refused = await perlInside(
      state,
      `for my $line (split /;/, '${call}') {
         my ($name, $number, @args) = split / /, $line;
         my $result = syscall($number + 0, map { $_ + 0 } @args);
         exit 0 if $name eq 'clone' && $result == 0;
         print "$name ", ($result == -1 ? $! + 0 : 'done'), "\\n";
       }
       print 'perl socket ', (socket(my $s, 2, 1, 0) ? 'done' : $! + 0), "\\n";
       my $child = fork(); exit 0 if defined $child && $child == 0;
       print 'perl fork ', (defined $child ? 'done' : $! + 0), "\\n";`,
    )
    assert.deepEqual(refused.split('\n'), [
      ...['socket 1', 'socketpair 1', 'clone 1', 'clone3 38', 'unshare 1', 'setns 1', 'ptrace 1'],
      ...['bpf 1', 'io_uring_setup 1', 'memfd_create 1', 'shmget 1'],
      ...['perl socket 1', 'perl fork 1'],
    ])
  })

  testIn(state, 'private files that a list names are read as well', async () => {
    const outDir = path.join(room, `pieces-${state}`)
    await mkdir(outDir)
    const list = path.join(outDir, 'list.txt')
    await writeFile(list, "ffconcat version 1.0\nfile 'piece.mp4'\n", { mode: 0o600 })
    await copyFile(clip, path.join(outDir, 'piece.mp4'))
    await chmod(path.join(outDir, 'piece.mp4'), 0o600)
    const { end, stderr } = await runTool({
      tool: 'ffmpeg',
      input: list,
      alsoReads: ['piece.mp4'],
      outDir,
      wallMs: 60_000,
      isolation: state,
      args: (paths) => [
        ...['-v', 'error', '-nostdin', '-protocol_whitelist', 'file', '-f', 'concat', '-safe', '1'],
        ...['-i', path.join(paths.out, 'list.txt'), '-t', '0.1', '-c', 'copy', '-f', 'mp4'],
        path.join(paths.out, 'joined.mp4'),
      ],
    })
    assert.equal(end, 'done', stderr)
  })

  testIn(state, 'a private clip in a closed folder is decoded into a file', async () => {
    const closed = path.join(room, `closed-${state}`)
    const outDir = path.join(closed, 'out')
    await mkdir(outDir, { recursive: true, mode: 0o700 })
    const input = path.join(closed, 'clip.mp4')
    await copyFile(clip, input)
    await chmod(input, 0o600)
    for (const round of [1, 2]) {
      const outcome = await runTool({
        tool: 'ffmpeg',
        input,
        outDir,
        wallMs: 60_000,
        isolation: state,
        args: (paths) => [
          ...['-v', 'error', '-nostdin', '-y', ...inputGuards, '-i', paths.input, '-frames:v', '5'],
          ...['-an', '-c:v', 'libx264', '-threads', '4', path.join(paths.out, 'out.mp4')],
        ],
      })
      assert.deepEqual(outcome, { end: 'done', code: 0, stderr: '' }, `round ${round}`)
    }
    assert.ok((await readFile(path.join(outDir, 'out.mp4'))).length > 1000)
  })

  testIn(state, 'the environment is empty', async () => {
    const print = `open(my $f, '<', '/proc/self/environ'); print <$f>; print join ',', %ENV`
    process.env.CANARY_SECRET = 'sk_live_canary'
    const seen = await perlInside(state, print).finally(() => delete process.env.CANARY_SECRET)
    assert.ok(!/CANARY|canary|HOME=|DATABASE/.test(seen), seen)
  })
}

testIn('locked', 'memory behind files is capped', async () => {
  const written = await perlInside(
    'locked',
    `for my $folder ('/', '/dev', '/dev/shm', '/tmp') {
       my $count = 0;
       if (open(my $f, '>', "$folder/fill")) {
         $count++ while $count < 64 && defined syswrite($f, 'x' x 1048576);
       }
       print "$folder $count\\n";
     }`,
  )
  assert.equal(written, '/ 0\n/dev 0\n/dev/shm 0\n/tmp 16')
})

testIn('locked', 'neither the service nor its files can be seen', async () => {
  const secret = path.join(room, 'secret')
  await writeFile(secret, 'secret')
  const look = `print -e '${secret}' ? 'file' : '-', -e '/proc/${process.pid}' ? 'process' : '-',
    scalar(grep { /^\\d+$/ && $_ > 3 } do { opendir(my $d, '/proc'); readdir $d })`
  assert.equal(await perlInside('locked', look), '--0')
})

testIn('reduced', 'a tool is a user of its own', async () => {
  const secret = path.join(room, 'secret-of-root')
  await writeFile(secret, 'secret', { mode: 0o600 })
  await chmod(room, 0o755)
  const look = `
    my ($status) = do { local $/; open(my $f, '<', '/proc/self/status'); <$f> };
    my ($group) = $) =~ /^(\\d+)/;
    print $< >= 61_200 && $< == $> ? 'own' : $<, " $group ";
    print $status =~ /CapBnd:\\s+0+\\n/ && $status =~ /NoNewPrivs:\\s+1/ ? 'bare' : 'caps', ' ';
    print open(my $e, '<', '/proc/${process.pid}/environ') ? 'environ' : '-';
    print open(my $s, '<', '${secret}') ? 'file' : '-';
    print opendir(my $d, '/proc/${process.pid}/fd') ? 'fd' : '-';`
  assert.equal(await perlInside('reduced', look), 'own 65300 bare ---')
  const users = await Promise.all([1, 2, 3].map(() => perlInside('reduced', 'print $<')))
  assert.equal(new Set(users).size, 3)
})

test('root gets `reduced` in a home that is closed to all but its owner', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root may enter it')
  const home = await mkdtemp(path.join(tmpdir(), 'home-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  await chmod(home, 0o700)
  await chown(home, 1000, 1000)
  const project = path.join(home, 'project')
  await mkdir(project)
  assert.equal(await stateBehind([], project), 'reduced')
})

test('root in a plain container gets `reduced`, a user without bubblewrap `unlocked`', async (t) => {
  const container = await openPlainContainer()
  if (!container) return t.skip('only root can make a container')
  t.after(() => container.stop())
  assert.equal(await stateBehind(container.wrap), 'reduced')
  if (!isOpenToOthers()) return t.skip('another user does not reach the project')
  const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
  assert.equal(await stateBehind([...container.wrap, ...nobody]), 'unlocked')
})

for (const arch of ['x64', 'arm64'] as const) {
  test(`the filter of ${arch} decides by call and flags`, () => {
    const filter = seccompFilter(arch)
    assert.ok(filter)
    const own = arch === 'x64' ? 0xc000003e : 0xc00000b7
    const [socket, clone, ioctl, read, unshare] =
      arch === 'x64' ? [41, 56, 16, 0, 272] : [198, 220, 29, 63, 97]
    const answers = {
      read: decide(filter, own, read),
      socket: decide(filter, own, socket),
      unshare: decide(filter, own, unshare),
      fork: decide(filter, own, clone, [17]),
      // The flags of glibc's pthread_create.
      thread: decide(filter, own, clone, [0x3d0f00]),
      namespaceThread: decide(filter, own, clone, [0x3d0f00 | 0x10000000]),
      clone3: decide(filter, own, 435),
      paste: decide(filter, own, ioctl, [0, 0x5412]),
      windowSize: decide(filter, own, ioctl, [0, 0x5413]),
      otherMachine: decide(filter, 0x40000003, read),
      x32: decide(filter, own, 0x40000000 + read),
    }
    assert.deepEqual(answers, {
      ...{ read: 'allow', socket: 1, unshare: 1, fork: 1, thread: 'allow', namespaceThread: 1 },
      ...{ clone3: 38, paste: 1, windowSize: 'allow', otherMachine: 'kill', x32: 'kill' },
    })
  })
}

test('a machine with other numbers has no filter', () => {
  assert.equal(seccompFilter('riscv64'), null)
})

/** name, number, arguments; 268435456 is CLONE_NEWUSER, 17 in clone is SIGCHLD. */
const callsOfIntel = [
  ...['socket 41 2 1 0', 'socketpair 53 1 1 0 0', 'clone 56 268435473 0 0 0 0', 'clone3 435 0 0'],
  ...['unshare 272 268435456', 'setns 308 0 0', 'ptrace 101 0 0 0 0', 'bpf 321 0 0 0'],
  ...['io_uring_setup 425 1 0', 'memfd_create 319 0 0', 'shmget 29 0 4096 512'],
].join(';')
const callsOfArm = [
  ...[
    'socket 198 2 1 0',
    'socketpair 199 1 1 0 0',
    'clone 220 268435473 0 0 0 0',
    'clone3 435 0 0',
  ],
  ...['unshare 97 268435456', 'setns 268 0 0', 'ptrace 117 0 0 0 0', 'bpf 280 0 0 0'],
  ...['io_uring_setup 425 1 0', 'memfd_create 279 0 0', 'shmget 194 0 4096 512'],
].join(';')

/** Runs a Perl script in place of a media tool and returns what it prints. */
async function perlInside(state: IsolationState, script: string): Promise<string> {
  const access = { program: 'perl', input: clip, limits }
  const isolated = await isolate(access, state, { filter: 3, input: 4 }, () => ['-e', script])
  const child = spawn(isolated.command, isolated.args, {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', isolated.input?.fd ?? 'ignore'],
    env: {},
    cwd: '/',
  })
  void isolated.input?.close()
  if (isolated.filter) sendFilter(child.stdio[3], isolated.filter)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return output.trim()
}

async function stateBehind(wrap: string[], cwd = '/'): Promise<string> {
  const module = path.join(import.meta.dirname, 'isolate.ts')
  const program = `import('${module}').then(async (m) => console.log(await m.isolationState()))`
  const [command, ...args] = [...wrap, process.execPath, '-e', program]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  return output.trim()
}

/** Runs a filter as the kernel does, for machines that are not at hand. */
function decide(filter: Buffer, arch: number, call: number, args: number[] = []): number | string {
  const words = new Map([
    [0, call],
    [4, arch],
    [16, args[0] ?? 0],
    [24, args[1] ?? 0],
  ])
  let loaded = 0
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8)
    const value = filter.readUInt32LE(at * 8 + 4)
    if (code === 0x20) loaded = words.get(value) ?? 0
    else if (code === 0x06)
      return { 0x7fff0000: 'allow', 0x80000000: 'kill' }[value] ?? value & 0xff
    else {
      const tests = { 0x15: loaded === value, 0x35: loaded >= value, 0x45: (loaded & value) !== 0 }
      const isTrue = tests[code as keyof typeof tests]
      assert.notEqual(isTrue, undefined, `code ${code}`)
      at += filter.readUInt8(at * 8 + (isTrue ? 2 : 3))
    }
  }
  throw new Error('The filter does not answer.')
}
