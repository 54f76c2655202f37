import './tokens.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { App } from './app.tsx'
import { reloadOnce } from './later.tsx'
import { liftProviderAnswer } from '../session/provider-answer.ts'
import { pageAt } from './routes.tsx'
import { watchSession } from '../session/session.tsx'
import { watchTheme } from '../dom/theme.ts'

liftProviderAnswer()
watchTheme()
watchSession()
await start()

async function start(): Promise<void> {
  const container = document.getElementById('app')
  if (!container) throw new Error('The page has no #app.')
  const app = (
    <StrictMode>
      <BrowserRouter>
        <App />
      </BrowserRouter>
    </StrictMode>
  )
  if (container.hasChildNodes()) {
    await pageAt(location.pathname)
      .Screen.load()
      .catch((error: unknown) => {
        reloadOnce()
        throw error
      })
    hydrateRoot(container, app)
  } else {
    // Nothing stands here yet that could be clicked too early.
    container.setAttribute('data-hydrated', '')
    createRoot(container).render(app)
  }
}
