import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toast.tsx'

export function DangerZone() {
  const explain = () =>
    showToast({
      type: 'info',
      title: 'Coming Soon',
      message: 'Account deletion requires email confirmation. Feature coming soon.',
    })
  return (
    <Panel title="Danger Zone" className="border-bad! [&_h2]:text-bad">
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow text-ink-2">
          Deleting the account will remove its content, findings and keys; credits are not refunded.
          It will be confirmed by e-mail.
        </p>
        <Button look="danger" onClick={explain}>
          Delete Account
        </Button>
      </div>
    </Panel>
  )
}
