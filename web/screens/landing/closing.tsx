import { useSession } from '../../session/session.tsx'
import { openSignIn } from '../../session/sign-in-prompt.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'

export function Closing() {
  const { token } = useSession()
  return (
    <section aria-label="Get started" className="border-t border-line bg-panel">
      <div className="measure flex flex-wrap items-center justify-between gap-x-10 gap-y-6 py-14 sm:py-20">
        <div>
          <h2 className="text-xl font-semibold tracking-tight sm:text-2xl">
            Bring one clip. Judge it by the frames.
          </h2>
          <p className="mt-2 text-md text-ink-2">
            Sign in with GitHub or Google. The first $5 each month are free, no card needed.
          </p>
        </div>
        {token ? (
          <ButtonLink to="/dashboard" look="primary" size="lg">
            Go to the dashboard
          </ButtonLink>
        ) : (
          <Button look="primary" size="lg" onClick={() => openSignIn('signup')}>
            Sign Up
          </Button>
        )}
      </div>
    </section>
  )
}
