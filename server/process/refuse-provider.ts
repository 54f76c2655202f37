import { onnxProvider, standardProvider } from '../../engine/models/settings.ts'
import { ConfigError } from '../ground/config.ts'

/** A worker that cannot run its models would fail every job. */
export async function refuseMissingProvider(): Promise<void> {
  if (onnxProvider() === standardProvider) return
  const { providerProblem } = await import('../../engine/models/session.ts')
  const problem = await providerProblem()
  if (problem) throw new ConfigError(`The setting ONNX_PROVIDER cannot be used. ${problem}`)
}
