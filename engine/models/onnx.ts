/**
 * ONNX Runtime, which from version 1.29 on reports the machine, its models and how they run to
 * Microsoft unless that is switched off before its first session. Nothing of a customer's footage
 * leaves this service but by the customer: every model is opened through this file.
 */
export { InferenceSession, Tensor, env, listSupportedBackends } from 'onnxruntime-node'

process.env.ORT_DISABLE_TELEMETRY = '1'
