import { Info } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { openSignIn, useSignInPrompt } from '../../session/sign-in-prompt.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProviderButtons } from './providers.tsx'

const passwordMinLength = 8

export function SignInDialogs() {
  const prompt = useSignInPrompt()
  return prompt === 'signup' ? <SignupDialog /> : <LoginDialog open={prompt === 'login'} />
}

function LoginDialog({ open }: { open: boolean }) {
  return (
    <Dialog
      open={open}
      onClose={() => openSignIn(null)}
      title="Log in"
      description="Continue with the account you signed up with."
    >
      <ProviderButtons />
      <EmailForm action="Login">
        <TextField label="E-mail" type="email" name="email" autoComplete="email" />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
        />
      </EmailForm>
      <p className="mt-4 text-ink-2">
        No account yet? <SwitchButton to="signup">Sign up</SwitchButton>
      </p>
    </Dialog>
  )
}

function SignupDialog() {
  return (
    <Dialog
      open
      onClose={() => openSignIn(null)}
      title="Sign up"
      description="$5 of free credits each month for accounts with a verified e-mail. No card needed."
    >
      <ProviderButtons />
      <EmailForm action="Sign Up">
        <TextField label="E-mail" type="email" name="email" autoComplete="email" />
        <TextField
          label="Password"
          type="password"
          name="password"
          minLength={passwordMinLength}
          autoComplete="new-password"
          hint={`At least ${passwordMinLength} characters`}
        />
        <TextField
          label="Confirm password"
          type="password"
          name="confirm-password"
          minLength={passwordMinLength}
          autoComplete="new-password"
        />
      </EmailForm>
      <p className="mt-4 text-ink-2">
        By signing up you accept the <LegalLink to="/terms">Terms of Use</LegalLink> and the{' '}
        <LegalLink to="/privacy">Privacy Policy</LegalLink>. Already have an account?{' '}
        <SwitchButton to="login">Log in</SwitchButton>
      </p>
    </Dialog>
  )
}

/** There is no e-mail sign-in yet, and the form says so; sending it does nothing. */
function EmailForm({ action, children }: { action: string; children: ReactNode }) {
  return (
    <details className="mt-5 border-t border-line pt-3">
      <summary className="py-1 text-ink-2 pointer-coarse:py-3">
        E-mail and password (not available yet)
      </summary>
      <form onSubmit={ignore} className="mt-2 flex flex-col gap-3">
        <p className="flex gap-2 rounded-md bg-raised px-3 py-2 text-ink-2">
          <Info size={14} className="mt-0.75 shrink-0" aria-hidden />
          E-mail and password do not work yet. Please use GitHub or Google above.
        </p>
        {children}
        <Button type="submit" size="md">
          {action} with e-mail
        </Button>
      </form>
    </details>
  )
}

function ignore(event: FormEvent): void {
  event.preventDefault()
}

function SwitchButton({ to, children }: { to: 'login' | 'signup'; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={() => openSignIn(to)}
      className="font-medium text-brand-ink underline underline-offset-2"
    >
      {children}
    </button>
  )
}

function LegalLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      onClick={() => openSignIn(null)}
      className="text-brand-ink underline underline-offset-2"
    >
      {children}
    </Link>
  )
}
