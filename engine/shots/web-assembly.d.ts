/** What the kernel uses of WebAssembly; Node's types name the namespace without its classes. */
declare namespace WebAssembly {
  // A compiled module shows nothing of itself: only `Instance` reads it.
  // oxlint-disable-next-line typescript/no-extraneous-class
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    readonly buffer: ArrayBuffer
    constructor(size: { initial: number; maximum: number })
  }
  class Instance {
    readonly exports: Record<string, unknown>
    constructor(module: Module, imports: Record<string, Record<string, Memory>>)
  }
}
