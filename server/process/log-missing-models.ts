/** Names at the start each extractor whose models are not installed, and how to install them. */
import type { Logger } from 'pino'
import { missingWeights, remedyFor } from '../../engine/models/weights.ts'
import type { Config } from '../ground/config.ts'

export function logMissingModels(log: Logger, { speechModelDir }: Config): void {
  for (const missing of missingWeights({ hasOwnWhisper: speechModelDir !== null })) {
    const off = `${missing.extractors.join(', ')} off: the models of ${missing.package} are missing.`
    log.warn(missing, `${off} ${remedyFor(missing.package)}`)
  }
}
