import type { TestServer } from './app.ts'

/** Keys of everything in the store, in order. */
export async function storedKeys({ ctx }: Pick<TestServer, 'ctx'>): Promise<string[]> {
  const keys: string[] = []
  for await (const object of ctx.storage.list('')) keys.push(object.key)
  return keys.sort()
}
