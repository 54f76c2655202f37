/**
 * Builds the seccomp filter of media tools: a small BPF program that the kernel runs before each
 * system call. A tool needs files, memory and threads, so the filter refuses what an exploited one
 * would reach for next: sockets, new processes, namespaces and mounts, other processes' memory, the
 * kernel's rarely used doors, and memory that the address-space limit does not count.
 *
 * It lists what is refused, not what is allowed: codecs and libraries change their harmless calls
 * with every release, and a missing entry there would break decoding instead of an attack.
 */

interface Machine {
  /** AUDIT_ARCH_* of <linux/audit.h>. */
  audit: number
  clone: number
  clone3: number
  ioctl: number
  /** Starts the launcher's own call; see isolate.ts. */
  prctl: number
  refused: readonly number[]
}

/** Numbers of <asm/unistd.h>, as [x86_64, aarch64]; the newer ones are the same on both. */
const refusedCalls: Record<string, readonly [number | null, number | null]> = {
  // Network.
  socket: [41, 198],
  socketpair: [53, 199],
  // Processes: threads come from clone, which is checked by its flags.
  fork: [57, null],
  vfork: [58, null],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  // Namespaces, mounts, files by handle.
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  // Doors of the kernel where most of its faults were found.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  personality: [135, 92],
  modify_ldt: [154, null],
  uselib: [134, null],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  iopl: [172, null],
  ioperm: [173, null],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  vhangup: [153, 58],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  // Memory outside the address space.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
}

const machines: Partial<Record<NodeJS.Architecture, Machine>> = {
  x64: { audit: 0xc000003e, clone: 56, clone3: 435, ioctl: 16, prctl: 157, refused: column(0) },
  arm64: { audit: 0xc00000b7, clone: 220, clone3: 435, ioctl: 29, prctl: 167, refused: column(1) },
}

function column(index: 0 | 1): number[] {
  return Object.values(refusedCalls).flatMap((numbers) => numbers[index] ?? [])
}

/** The number of prctl; null on a machine whose numbers are not known here. */
export function prctlNumber(arch: NodeJS.Architecture = process.arch): number | null {
  return machines[arch]?.prctl ?? null
}

// <linux/bpf_common.h>, <linux/seccomp.h>, <asm-generic/errno.h>
const loadWord = 0x20
const jumpIfEqual = 0x15
const jumpIfAtLeast = 0x35
const jumpIfAnyBit = 0x45
const answer = 0x06
const allow = 0x7fff0000
const killProcess = 0x80000000
const refuse = 0x00050000 | 1 // EPERM
const unknownCall = 0x00050000 | 38 // ENOSYS
/** Offsets in struct seccomp_data; both machines are little-endian. */
const atNumber = 0
const atMachine = 4
const atFirstArgument = 16
const atSecondArgument = 24
/** x32 calls of x86_64 carry this bit and other numbers. */
const x32Bit = 0x40000000
const cloneThread = 0x00010000
/** NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const cloneNamespaces = 0x7e020080
/** Writes into the terminal as if its user typed. */
const terminalRequests = [0x5412, 0x541c]

/** A line jumps to a label; labels are resolved to distances at the end. */
interface Line {
  code: number
  value: number
  label?: string
  whenTrue?: string
  whenFalse?: string
}

/** The program as the kernel reads it; null on a machine whose numbers are not known here. */
export function seccompFilter(arch: NodeJS.Architecture = process.arch): Buffer | null {
  const machine = machines[arch]
  if (!machine) return null
  return assemble([
    { code: loadWord, value: atMachine },
    { code: jumpIfEqual, value: machine.audit, whenFalse: 'kill' },
    { code: loadWord, value: atNumber },
    { code: jumpIfAtLeast, value: x32Bit, whenTrue: 'kill' },
    // The flags of clone3 lie in memory, where a filter cannot look. Libraries fall back to clone.
    { code: jumpIfEqual, value: machine.clone3, whenTrue: 'unknown' },
    { code: jumpIfEqual, value: machine.clone, whenTrue: 'clone' },
    { code: jumpIfEqual, value: machine.ioctl, whenTrue: 'ioctl' },
    ...machine.refused.map((value) => ({ code: jumpIfEqual, value, whenTrue: 'refuse' })),
    { code: answer, value: allow, label: 'allow' },
    { code: loadWord, value: atFirstArgument, label: 'clone' },
    { code: jumpIfAnyBit, value: cloneNamespaces, whenTrue: 'refuse' },
    { code: jumpIfAnyBit, value: cloneThread, whenTrue: 'allowThread', whenFalse: 'refuse' },
    { code: loadWord, value: atSecondArgument, label: 'ioctl' },
    ...terminalRequests.map((value) => ({ code: jumpIfEqual, value, whenTrue: 'refuse' })),
    { code: answer, value: allow, label: 'allowThread' },
    { code: answer, value: refuse, label: 'refuse' },
    { code: answer, value: unknownCall, label: 'unknown' },
    { code: answer, value: killProcess, label: 'kill' },
  ])
}

function assemble(lines: readonly Line[]): Buffer {
  const places = new Map(lines.map(({ label }, index) => [label, index]))
  const program = Buffer.alloc(lines.length * 8)
  for (const [index, { code, value, whenTrue, whenFalse }] of lines.entries()) {
    const distance = (label: string | undefined): number =>
      label === undefined ? 0 : (places.get(label) ?? 0) - index - 1
    program.writeUInt16LE(code, index * 8)
    program.writeUInt8(distance(whenTrue), index * 8 + 2)
    program.writeUInt8(distance(whenFalse), index * 8 + 3)
    program.writeUInt32LE(value, index * 8 + 4)
  }
  return program
}
