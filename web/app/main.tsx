import './tokens.css'
import { StrictMode, useEffect } from 'react'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { liftProviderAnswer } from './provider-answer.ts'
import { pageAt } from './routes.tsx'
import { watchSession } from './session.tsx'
import { watchTheme } from './theme.ts'

liftProviderAnswer()
watchTheme()
watchSession()
await start()

async function start(): Promise<void> {
  const container = document.getElementById('app')
  if (!container) throw new Error('The page has no #app.')
  const app = (
    <StrictMode>
      <MarkHydrated container={container}>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </MarkHydrated>
    </StrictMode>
  )
  if (container.hasChildNodes()) {
    await pageAt(location.pathname).Screen.load()
    hydrateRoot(container, app)
  } else {
    createRoot(container).render(app)
  }
}

/**
 * Marks the page once its scripts listen: tests and tools must not click before. It wraps the app
 * because a sibling would change React's ids, which the prerendered page has already.
 */
function MarkHydrated({ container, children }: { container: HTMLElement; children: ReactNode }) {
  useEffect(() => container.setAttribute('data-hydrated', ''), [container])
  return children
}
