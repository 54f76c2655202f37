/**
 * Sources that parts of films were measured from lately, so that the next part of the same film
 * does not bring it again. Few are kept: a film may have gigabytes.
 */
import type { LocalFile } from '../ground/storage.ts'

export interface SourceCache {
  /** The file under this key, which `open` brings if need be. Users release it. */
  borrow(key: string, open: () => Promise<LocalFile>): Promise<LocalFile>
  close(): Promise<void>
}

/** That nobody reads. */
const maxIdle = 2

export function createSourceCache(): SourceCache {
  // In the order of their last use.
  const kept = new Map<string, { file: Promise<LocalFile>; readers: number }>()
  const drop = async (key: string): Promise<void> => {
    const source = kept.get(key)
    kept.delete(key)
    const file = await source?.file.catch(() => null)
    await file?.release()
  }
  const dropIdle = async (max: number): Promise<void> => {
    const idle = [...kept].filter(([, source]) => source.readers === 0)
    for (const [key] of idle.slice(0, Math.max(0, idle.length - max))) await drop(key)
  }
  return {
    async borrow(key, open) {
      const source = kept.get(key) ?? { file: open(), readers: 0 }
      kept.delete(key)
      kept.set(key, source)
      source.readers += 1
      try {
        const { path } = await source.file
        let isReleased = false
        return {
          path,
          async release() {
            if (isReleased) return
            isReleased = true
            source.readers -= 1
            await dropIdle(maxIdle)
          },
        }
      } catch (error) {
        source.readers -= 1
        if (kept.get(key) === source) kept.delete(key)
        throw error
      }
    },
    close: () => dropIdle(0),
  }
}
