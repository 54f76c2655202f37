import { Demo } from '../../features/demo/demo.tsx'
import { openSignIn } from '../../session/sign-in-prompt.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useSession } from '../../session/session.tsx'

export function Hero() {
  const { token } = useSession()
  return (
    <section aria-label="Introduction" className="measure pt-10 pb-14 sm:pt-16 sm:pb-20">
      <div className="grid items-start gap-x-10 gap-y-6 lg:grid-cols-[1fr_440px]">
        <h1 className="max-w-180 text-2xl font-semibold tracking-[-0.03em] text-balance sm:text-3xl">
          Your footage, indexed to the frame before you sit down to cut.
        </h1>
        <div>
          <p className="text-md text-pretty text-ink-2 lg:pt-2">
            Shot changes, people talking, every word and the frames where a cut works. Review them
            on one timeline and take them to your editing software as EDL, FCPXML, XML, JSON or CSV.
          </p>
          <div className="mt-5 flex flex-wrap gap-2">
            {token ? (
              <ButtonLink to="/dashboard" look="primary" size="lg">
                Go to the dashboard
              </ButtonLink>
            ) : (
              <Button look="primary" size="lg" onClick={() => openSignIn('signup')}>
                Start with $5 free
              </Button>
            )}
            <ButtonLink to="/#calculator" size="lg">
              What will it cost?
            </ButtonLink>
          </div>
        </div>
      </div>
      <div className="mt-10">
        <Demo />
      </div>
    </section>
  )
}
