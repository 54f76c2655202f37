/** A process for tests: it echoes, crashes or never answers. */
import os from 'node:os'
import { serve } from './serve.ts'

export type FlakyMethods = {
  echo: { input: Float32Array; output: Float32Array }
  refuse: { input: null; output: null }
  crash: { input: null; output: null }
  hang: { input: null; output: null }
  environment: { input: null; output: string[] }
  priority: { input: null; output: number }
  pid: { input: null; output: number }
}

serve({
  echo: async (values: Float32Array) => values,
  async refuse() {
    throw new Error('No such language.')
  },
  async crash() {
    process.kill(process.pid, 'SIGSEGV')
    return await new Promise(() => undefined)
  },
  hang: async () => await new Promise(() => undefined),
  environment: async () => Object.keys(process.env),
  priority: async () => os.getPriority(),
  pid: async () => process.pid,
})
