/** The only settings of the service that models need. */
const names = ['ONNX_PROVIDER', 'CUDA_VISIBLE_DEVICES', 'LD_LIBRARY_PATH'] as const

export const standardProvider = 'cpu'

/** ONNX Runtime's name of the execution provider. */
export function onnxProvider(): string {
  return process.env['ONNX_PROVIDER'] || standardProvider
}

/** Environment of a process that runs models; empty if nothing differs from the default. */
export function modelEnvironment(): Record<string, string> {
  if (onnxProvider() === standardProvider) return {}
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}
