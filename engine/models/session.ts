/**
 * Opens ONNX models, all in one way: one thread each, since more cores are used by more processes,
 * by the execution provider that the operator names in `ONNX_PROVIDER`.
 */
import path from 'node:path'
import * as ort from './onnx.ts'
import { onnxProvider, standardProvider } from './settings.ts'
import { loadWeights } from './weights.ts'

type Options = ort.InferenceSession.SessionOptions

/** `model` is a file or its bytes. */
export async function openModel(
  model: string | Uint8Array,
  options: Options = {},
): Promise<ort.InferenceSession> {
  const all: Options = {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
    executionProviders: [onnxProvider()],
    ...options,
  }
  return typeof model === 'string'
    ? await ort.InferenceSession.create(model, all)
    : await ort.InferenceSession.create(model, all)
}

/** Explains why the provider of `ONNX_PROVIDER` cannot be used here; null if it can. */
export async function providerProblem(): Promise<string | null> {
  const provider = onnxProvider()
  if (provider === standardProvider) return null
  const known = ort.listSupportedBackends().map(({ name }) => name)
  const has = `ONNX Runtime has these here: ${known.join(', ')}.`
  if (!known.includes(provider)) return `There is no "${provider}". ${has}`
  try {
    const folder = await loadWeights('silero-v6')
    const session = await openModel(path.join(folder, 'silero_vad_v6.onnx'))
    await session.release()
    return null
  } catch (error) {
    return `"${provider}" does not start: ${error instanceof Error ? error.message : String(error)}`
  }
}
