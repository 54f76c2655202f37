/** Renders one public page to HTML. Built and called by scripts/build/prerender.ts. */
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'
import { documentTitle, pageAt } from './routes.tsx'

export interface RenderedPage {
  title: string
  description: string
  html: string
}

export async function renderPage(path: string): Promise<RenderedPage> {
  const page = pageAt(path)
  if (!page.description) throw new Error(`${path} has no description.`)
  await page.Screen.load()
  const html = renderToString(
    <StrictMode>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </StrictMode>,
  )
  return { title: documentTitle(page), description: page.description, html }
}
