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
    <Panel title="Danger Zone">
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow text-ink-2">
          Deleting the account removes its content, findings and keys. Credits are not refunded.
        </p>
        <Button look="danger" onClick={explain}>
          Delete Account
        </Button>
      </div>
    </Panel>
  )
}
