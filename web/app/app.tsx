import { Suspense } from 'react'
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
      <Suspense fallback={<Loading />}>{screen}</Suspense>
    </Root>
  )
}

function routeOf({ path, Screen }: Page) {
  return { path, element: <Screen /> }
}
