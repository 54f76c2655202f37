/**
 * The detector's inner loop: how far apart two 8 × 9 blocks are when the difference of their means
 * is left out. It runs a thousand times a frame in fast action, so it is written in WebAssembly's
 * own instructions (eight pixels at a time), about six times faster than the same loop here. The
 * few instructions are spelled out below; there is no compiler and no binary to keep.
 */
import { smallHeight, smallWidth } from '../pass-plan.ts'

export interface PictureRoom {
  /** Luma planes, one a slot; the last slot stays black. */
  bytes: Uint8Array
  addressOf(slot: number): number
  black: number
  /** Σ |a − b − lift| over the block at each address. */
  blockError(a: number, b: number, lift: number): number
}

const planeBytes = smallWidth * smallHeight
const blockRows = 9

export function createPictureRoom(slots: number): PictureRoom {
  const pages = Math.ceil((planeBytes * (slots + 1)) / 65_536)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const instance = new WebAssembly.Instance(program, { e: { m: memory } })
  return {
    bytes: new Uint8Array(memory.buffer),
    addressOf: (slot) => slot * planeBytes,
    black: slots * planeBytes,
    blockError: instance.exports.f as PictureRoom['blockError'],
  }
}

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...unsigned(code), ...rest]
/** Eight bytes as eight 16-bit numbers. */
const load8x8 = (offset: number): number[] => simd(0x02, 0x00, ...unsigned(offset))
const splat16 = simd(0x10)
const subtract16 = simd(0x91)
const absolute16 = simd(0x80)
const add16 = simd(0x8e)
const pairs32 = simd(0x7e)
const lane32 = (lane: number): number[] => simd(0x1b, lane)
const add32 = 0x6a

function blockErrorCode(): number[] {
  const [a, b, lift, sum, lifts] = [0, 1, 2, 3, 4]
  const code = [...get(lift), ...splat16, ...set(lifts)]
  for (let row = 0; row < blockRows; row++) {
    const offset = row * smallWidth
    code.push(...get(sum), ...get(a), ...load8x8(offset), ...get(b), ...load8x8(offset))
    code.push(...subtract16, ...get(lifts), ...subtract16, ...absolute16, ...add16, ...set(sum))
  }
  code.push(...get(sum), ...pairs32, ...set(sum), ...get(sum), ...lane32(0))
  for (const lane of [1, 2, 3]) code.push(...get(sum), ...lane32(lane), add32)
  return code
}

const program = assemble(blockErrorCode())

/** One function (i32, i32, i32) → i32 with two vector locals, exported as f, on imported memory. */
function assemble(code: number[]): WebAssembly.Module {
  const [i32, vector, end] = [0x7f, 0x7b, 0x0b]
  const body = [1, 2, vector, ...code, end]
  const bytes = [
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 3, i32, i32, i32, 1, i32]),
    ...section(2, [1, 1, 0x65, 1, 0x6d, 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0x00, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]
  return new WebAssembly.Module(Uint8Array.from(bytes))
}

function section(id: number, content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

/** The format's numbers: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  do {
    const rest = value >>> 7
    bytes.push((value & 0x7f) | (rest > 0 ? 0x80 : 0))
    value = rest
  } while (value > 0)
  return bytes
}
