import type { Config } from '../ground/config.ts'
import { openDirectory } from './directory.ts'
import type { Storage } from '../ground/storage.ts'

export async function openStorage(config: Config): Promise<Storage> {
  if (config.storageUrl.startsWith('file:')) {
    return openDirectory(new URL(config.storageUrl), config.diskReserveBytes)
  }
  // The SDK costs a second to load, so only those who use it pay for it.
  const { openS3 } = await import('./s3.ts')
  return openS3(config)
}
