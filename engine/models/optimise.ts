/**
 * ONNX Runtime rewrites a graph each time it opens one, and its weights to the form in which its
 * kernels read them, which together takes it longer than the rest of opening Whisper. It can save
 * the result; a session opened from that computes the same numbers. The weights lie in a file
 * beside the graph, which is mapped into memory: they are not copied, and processes share them. The
 * result depends on the runtime's version, the processor and the execution provider, so all are
 * part of `optimiserKey`.
 */
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as ort from './onnx.ts'
import { openModel } from './session.ts'
import { onnxProvider, standardProvider } from './settings.ts'

/** Session options for models that `optimiseModel` wrote. */
export const optimisedOptions = { graphOptimizationLevel: 'disabled' } as const

/** Smaller weights stay in the graph. */
const minBytes = 1024

/** Distinguishes graphs of different machines; null if graphs are not kept at all. */
export function optimiserKey(): unknown {
  if (onnxProvider() !== standardProvider) return null
  return {
    runtime: ort.env.versions.node,
    architecture: process.arch,
    processor: os.cpus()[0]?.model,
    features: processorFeatures(),
  }
}

/**
 * Writes the model as the runtime would run it, with its weights in a second file. Throws if the
 * runtime cannot open the result, as with some graphs that contain graphs.
 */
export async function optimiseModel(model: Buffer, file: string): Promise<void> {
  const session = await openModel(model, {
    optimizedModelFilePath: file,
    extra: {
      session: {
        optimized_model_external_initializers_file_name: `${path.basename(file)}.weights`,
        optimized_model_external_initializers_min_size_in_bytes: String(minBytes),
        save_external_prepacked_constant_initializers: '1',
      },
    },
  })
  await session.release()
  const written = await openModel(file, optimisedOptions)
  await written.release()
}

function processorFeatures(): string | undefined {
  try {
    return /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
