import { useLocation } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { MessagePage } from './message-page.tsx'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <MessagePage
      label="404"
      title="Page not found"
      actions={
        <>
          <ButtonLink to="/" look="primary">
            Home
          </ButtonLink>
          <ButtonLink to="/dashboard">Dashboard</ButtonLink>
          <ButtonLink to="/docs/developer">Documentation</ButtonLink>
        </>
      }
    >
      <p>
        There is nothing at <code className="text-base break-all">{pathname}</code>. Check the link,
        or start from one of these pages.
      </p>
    </MessagePage>
  )
}
