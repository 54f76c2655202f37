import { Suspense, useEffect } from 'react'
import type { ReactNode } from 'react'
import { useRoutes } from 'react-router'
import { Guard, guardedPages, missingPage, publicPages } from './routes.tsx'
import type { Page } from './routes.tsx'
import { Loading } from '../screens/loading.tsx'
import { Root } from '../screens/root.tsx'

/** The whole application, below a router. */
export function App() {
  const screen = useRoutes([
    ...publicPages.map(routeOf),
    { element: <Guard />, children: guardedPages.map(routeOf) },
    routeOf(missingPage),
  ])
  return (
    <Root>
      <Suspense fallback={<Loading />}>
        <MarkHydrated>{screen}</MarkHydrated>
      </Suspense>
    </Root>
  )
}

/**
 * Marks a prerendered page once the scripts of its screen listen: tests and tools must not click
 * before. Wraps the screen, since a sibling would change the ids of the prerendered page.
 */
function MarkHydrated({ children }: { children: ReactNode }) {
  useEffect(() => document.getElementById('app')?.setAttribute('data-hydrated', ''), [])
  return children
}

function routeOf({ path, Screen }: Page) {
  return { path, element: <Screen /> }
}
