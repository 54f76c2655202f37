import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { completeLogin } from '../../features/sign-in/complete-login.ts'
import { pendingProviderAnswer } from '../../session/provider-answer.ts'
import { takeTarget } from '../../session/session.tsx'
import { openSignIn } from '../../session/sign-in-prompt.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { showToast } from '../../ui/toast.tsx'

export function OauthCallback() {
  const navigate = useNavigate()
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    void finish().then((path) => navigate(path, { replace: true }))
  }, [navigate])
  return (
    <div role="status" className="flex grow items-center justify-center gap-3 text-md text-ink-2">
      <Spinner size={18} />
      Completing login...
    </div>
  )
}

/** Says how the login ended and gives the way on. */
async function finish(): Promise<string> {
  const answer = pendingProviderAnswer()
  if (!answer) {
    const message = 'Invalid OAuth callback parameters'
    showToast({ type: 'error', title: 'Authentication Error', message })
    return '/'
  }
  const outcome = await completeLogin(answer)
  if (outcome === 'kept') {
    const message = 'This login was not started in this browser. You are still signed in as before.'
    showToast({ type: 'error', title: 'Authentication Error', message })
    return '/dashboard'
  }
  if (outcome === 'refused') {
    const message = 'This login is no longer valid. Please log in again.'
    showToast({ type: 'error', title: 'Authentication Error', message })
    openSignIn('login')
    return '/'
  }
  const message =
    outcome === 'welcome'
      ? `Successfully logged in with ${answer.provider}!`
      : `Logged in with ${answer.provider}!`
  showToast({ type: 'success', title: 'Welcome!', message })
  return takeTarget() ?? '/dashboard'
}
