/** Settings of the service that models need; all others are none of their business. */
const names = ['ONNX_PROVIDER', 'CUDA_VISIBLE_DEVICES', 'LD_LIBRARY_PATH'] as const

export const standardProvider = 'cpu'

/** Where models run: ONNX Runtime's name of an execution provider. */
export function onnxProvider(): string {
  return process.env['ONNX_PROVIDER'] || standardProvider
}

/** For the environment of a process that runs models; empty where they run as always. */
export function modelEnvironment(): Record<string, string> {
  if (onnxProvider() === standardProvider) return {}
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}
