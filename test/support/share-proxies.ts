/** Renders the proxies of links, as the leader's task does. */
import { renderDueProxies } from '../../server/shares/render.ts'
import type { TestServer } from './app.ts'

export async function renderProxies({ ctx }: Pick<TestServer, 'ctx'>): Promise<void> {
  await renderDueProxies(ctx)
}
