/**
 * WebAssembly from expressions: each of its instructions that is used here is a function that takes
 * expressions and gives one, so that code for it reads like any other and there is no compiler and
 * no binary to keep. Types are checked while it is put together, when this module is loaded.
 */
export type Type = 'i32' | 'f64' | 'v128'
/** A tree of bytes: expressions are put into each other many times, and copied out once. */
export type Code = readonly (number | Code)[]

export interface Value {
  type: Type
  code: Code
}
export interface Variable extends Value {
  set(value: Value): Code
}
/** What a function does in turn; a value in the last place is its result. */
export type Body = readonly (Code | Value)[]
type Args<Takes extends readonly Type[]> = { [At in keyof Takes]: Variable }
/** Makes variables of a function by name; they start at zero. */
export type Locals = <Name extends string>(types: Record<Name, Type>) => Record<Name, Variable>

const typeCode: Record<Type, number> = { i32: 0x7f, f64: 0x7c, v128: 0x7b }
const [nothing, end] = [0x40, 0x0b]

export type Program = ReturnType<typeof createProgram>

export function createProgram() {
  const functions: { takes: readonly Type[]; gives: Type; body: Code; name?: string }[] = []
  const globals: Code[] = []

  /** A function; calling what comes back makes an expression that calls it. */
  function define<const Takes extends readonly Type[]>(
    takes: Takes,
    gives: Type,
    write: (locals: Locals, ...args: Args<Takes>) => Body,
    name?: string,
  ): (...args: Value[]) => Value {
    const types = [...takes]
    const locals = ((wanted: Record<string, Type>) =>
      Object.fromEntries(
        Object.entries(wanted).map(([name, type]) => {
          return [name, variable(0x20, 0x21, types.push(type) - 1, type)]
        }),
      )) as Locals
    const args = takes.map((type, at) => variable(0x20, 0x21, at, type)) as Args<Takes>
    const lines = write(locals, ...args)
    const declared = types.slice(takes.length).map((type) => [1, typeCode[type]])
    const body = [list(declared), flat(lines), end]
    const at = functions.push({ takes, gives, body, name }) - 1
    return (...values) => {
      for (const [index, type] of takes.entries()) expect(values[index], type)
      return { type: gives, code: [values.map(({ code }) => code), 0x10, unsigned(at)] }
    }
  }

  /** A whole number that all functions share. */
  function shared(): Variable {
    const at = globals.push([typeCode.i32, 1, 0x41, 0, end]) - 1
    return variable(0x23, 0x24, at, 'i32')
  }

  /** The module imports its memory as e.m. */
  function assemble(): WebAssembly.Module {
    const types = functions.map(({ takes, gives }) => [
      ...[0x60, list(takes.map((type) => [typeCode[type]]))],
      ...[1, typeCode[gives]],
    ])
    const exported = functions.flatMap(({ name = '' }, at) =>
      name === '' ? [] : [[list([...Buffer.from(name)].map((byte) => [byte])), 0, unsigned(at)]],
    )
    const bodies = functions.map(({ body }) => sized(body))
    const bytes: number[] = []
    copyOut(
      [
        ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
        section(1, types),
        section(2, [[1, 0x65, 1, 0x6d, 0x02, 0x00, 1]]),
        section(
          3,
          functions.map((_, at) => unsigned(at)),
        ),
        section(6, globals),
        section(7, exported),
        section(10, bodies),
      ],
      bytes,
    )
    return new WebAssembly.Module(Uint8Array.from(bytes))
  }

  return { define, shared, assemble }
}

function variable(get: number, set: number, at: number, type: Type): Variable {
  return {
    type,
    code: [get, unsigned(at)],
    set(value) {
      expect(value, type)
      return [value.code, set, unsigned(at)]
    },
  }
}

function expect(value: Value | undefined, type: Type): void {
  if (value?.type !== type) throw new TypeError(`${value?.type} stands where ${type} belongs.`)
}

export const whole = (value: number): Value => ({ type: 'i32', code: [0x41, signed(value)] })
export const real = (value: number): Value => ({
  type: 'f64',
  code: [0x44, ...new Uint8Array(new Float64Array([value]).buffer)],
})

type Codes = Partial<Record<Type, Code>>

function operation(codes: Codes, gives?: Type) {
  return (one: Value, other: Value): Value => {
    const code = codes[one.type]
    if (!code) throw new TypeError(`${one.type} has no such operation.`)
    expect(other, one.type)
    return { type: gives ?? one.type, code: [one.code, other.code, code] }
  }
}
export const plus = operation({ i32: [0x6a], f64: [0xa0] })
export const minus = operation({ i32: [0x6b], f64: [0xa1] })
export const times = operation({ i32: [0x6c], f64: [0xa2] })
/** Whole numbers are cut towards zero. */
export const over = operation({ i32: [0x6d], f64: [0xa3] })
export const least = operation({ f64: [0xa4] })
export const both = operation({ i32: [0x71], v128: simd(0x4e) })
export const either = operation({ i32: [0x72], v128: simd(0x50) })
export const shiftRight = operation({ i32: [0x75] })
export const isLess = operation({ i32: [0x48], f64: [0x63] }, 'i32')
export const isMore = operation({ i32: [0x4a], f64: [0x64] }, 'i32')
/** Eight lanes of 16 bits each. */
export const plus16 = operation({ v128: simd(0x8e) })
export const minus16 = operation({ v128: simd(0x91) })
export const times16 = operation({ v128: simd(0x95) })
/** A lane is −1 where it holds. */
export const isMore16 = operation({ v128: simd(0x31) })
/** Products of lanes, added by pairs: four lanes of 32 bits. */
export const products32 = operation({ v128: simd(0xba) })
export const plus32 = operation({ v128: simd(0xae) })

function conversion(from: Type, to: Type, ...code: number[]) {
  return (value: Value): Value => {
    expect(value, from)
    return { type: to, code: [value.code, code] }
  }
}
export const not = conversion('i32', 'i32', 0x45)
export const toReal = conversion('i32', 'f64', 0xb7)
export const size = conversion('f64', 'f64', 0x99)
export const everywhere16 = conversion('i32', 'v128', ...simd(0x10))
export const size16 = conversion('v128', 'v128', ...simd(0x80))
/** Sums of neighbours: sixteen bytes to eight lanes, eight lanes to four. */
export const pairs16 = conversion('v128', 'v128', ...simd(0x7d))
export const pairs32 = conversion('v128', 'v128', ...simd(0x7e))
/** Lanes of 16 bits without their lowest two, as bytes. */
export const quarters8 = (lanes: Value): Value => {
  const two: Value = { type: 'v128', code: [lanes.code, 0x41, 2, simd(0x8d)] }
  return { type: 'v128', code: [two.code, two.code, simd(0x66)] }
}

/** The sum of four lanes of 32 bits. */
export function sum32(lanes: Value): Value {
  const lane = (at: number): Value => ({ type: 'i32', code: [lanes.code, simd(0x1b, at)] })
  return plus(plus(lane(0), lane(1)), plus(lane(2), lane(3)))
}

const reading = (type: Type, ...code: number[]) => {
  return (address: Value, offset = 0): Value => {
    expect(address, 'i32')
    return { type, code: [address.code, code, 0, unsigned(offset)] }
  }
}
export const byteAt = reading('i32', 0x2d)
export const signedByteAt = reading('i32', 0x2c)
export const shortAt = reading('i32', 0x2f)
export const wholeAt = reading('i32', 0x28)
export const realAt = (address: Value, offset = 0): Value => ({
  type: 'f64',
  code: [reading('f64', 0x2a)(address, offset).code, 0xbb],
})
export const sixteenAt = reading('v128', ...simd(0x00))
/** Eight bytes as eight lanes of 16 bits. */
export const eightAt = reading('v128', ...simd(0x02))

const writing = (type: Type, before: Code, code: Code, after: Code = []) => {
  return (address: Value, offset: number, value: Value): Code => {
    expect(address, 'i32')
    expect(value, type)
    return [address.code, value.code, before, code, 0, unsigned(offset), after]
  }
}
export const putShort = writing('i32', [], [0x3b])
export const putWhole = writing('i32', [], [0x36])
/** Kept in 32 bits. */
export const putReal = writing('f64', [0xb6], [0x38])
export const putSixteen = writing('v128', [], simd(0x0b))
export const putEight = writing('v128', [], simd(0x5b), [0])

/** Runs at least once. */
export function repeat(at: Variable, from: Value, to: Value, step: number, body: Body): Code {
  const next = at.set(plus(at, whole(step)))
  const again = [isLess(at, to).code, 0x0d, 0]
  return [at.set(from), 0x03, nothing, flat(body), next, again, end]
}
export function when(holds: Value, body: Body): Code {
  return [holds.code, 0x04, nothing, flat(body), end]
}
export function choose(holds: Value, one: Value, other: Value): Value {
  return { type: one.type, code: [one.code, other.code, holds.code, 0x1b] }
}
export function give(value: Value): Code {
  return [value.code, 0x0f]
}
/** Runs a function for what it does. */
export function run(value: Value): Code {
  return [value.code, 0x1a]
}

function flat(body: Body): Code {
  return body.map((line) => ('code' in line ? line.code : line))
}
function section(id: number, items: readonly Code[]): Code {
  return [id, sized(list(items))]
}
function sized(code: Code): Code {
  const bytes: number[] = []
  copyOut(code, bytes)
  return [unsigned(bytes.length), bytes]
}
function list(items: readonly Code[]): Code {
  return [unsigned(items.length), items]
}
function copyOut(code: Code, bytes: number[]): void {
  for (const one of code) {
    if (typeof one === 'number') bytes.push(one)
    else copyOut(one, bytes)
  }
}
function simd(code: number, ...rest: number[]): number[] {
  return [0xfd, ...unsigned(code), ...rest]
}

/** The format's numbers: seven bits a byte, the lowest first. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}
function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
