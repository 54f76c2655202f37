/** The right to download one archive of data, for whoever has its link. */
import { createHmac } from 'node:crypto'
import { signingKey } from '../ground/signing-key.ts'
import type { SigningKeys } from '../ground/signing-key.ts'

export async function signArchive(
  ctx: { signingKeys: SigningKeys },
  archiveId: string,
): Promise<string> {
  const key = await signingKey(ctx, 'data-export')
  return createHmac('sha256', key).update(`data-export ${archiveId}`).digest('base64url')
}
