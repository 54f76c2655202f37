/**
 * ONNX Runtime rewrites a graph each time it opens one, which takes it longer than the rest of opening
 * Whisper's decoder. It can write down what it came to; a session opened from that computes the same
 * numbers. What it comes to depends on its version and on the processor, and is meant for one
 * execution provider, so both are part of `optimiserKey`.
 */
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import * as ort from 'onnxruntime-node'
import { openModel } from './session.ts'
import { onnxProvider, standardProvider } from './settings.ts'

/** Opens what `optimiseModel` gave. */
export const optimisedOptions = { graphOptimizationLevel: 'disabled' } as const

/** Tells what the graphs of one machine would be from those of another; null where none is kept. */
export function optimiserKey(): unknown {
  if (onnxProvider() !== standardProvider) return null
  return {
    runtime: ort.env.versions.node,
    architecture: process.arch,
    processor: os.cpus()[0]?.model,
    features: processorFeatures(),
  }
}

/** The model as the runtime would run it; `folder` is for a passing file. */
export async function optimiseModel(model: Buffer, folder: string): Promise<Buffer> {
  const file = path.join(folder, 'optimised.onnx')
  const session = await openModel(model, { optimizedModelFilePath: file })
  await session.release()
  const optimised = await readFile(file)
  await rm(file)
  return optimised
}

function processorFeatures(): string | undefined {
  try {
    return /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
