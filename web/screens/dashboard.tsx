import { WelcomeBanner } from '../features/account/welcome-banner.tsx'

export function Dashboard() {
  return (
    <div className="flex flex-col gap-4 p-4">
      <WelcomeBanner />
    </div>
  )
}
