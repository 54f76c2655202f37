import { useLocation } from 'react-router'
import { ButtonLink } from '../ui/button.tsx'
import { MessagePage } from './message-page.tsx'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <MessagePage
      label="404"
      title="There is no frame at this address"
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
        Nothing is stored under <code className="text-base break-all">{pathname}</code>. The link
        may be mistyped, or what it led to was deleted.
      </p>
    </MessagePage>
  )
}
