import { KeyRound, LayoutDashboard, LogOut, UserRound } from 'lucide-react'
import { useNavigate } from 'react-router'
import { logout, useSession } from '../../session/session.tsx'
import { colourPresets, setColourPreset, useColourPreset } from '../../dom/theme.ts'
import type { ColourPreset } from '../../dom/theme.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../../ui/menu.tsx'

export function UserMenu() {
  const { user } = useSession()
  const preset = useColourPreset()
  const navigate = useNavigate()
  const name = user?.name || user?.username || user?.email || ''
  const leave = async () => {
    await revokeSession()
    logout()
    await navigate('/')
  }
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label="User menu"
          className="rounded-full pointer-coarse:flex pointer-coarse:size-11 pointer-coarse:items-center pointer-coarse:justify-center"
        >
          <Avatar name={name} picture={user?.picture} />
        </button>
      }
    >
      {user?.email && <MenuLabel>{user.email}</MenuLabel>}
      <MenuLink to="/dashboard">
        <LayoutDashboard size={14} aria-hidden /> Dashboard
      </MenuLink>
      <MenuLink to="/profile">
        <UserRound size={14} aria-hidden /> Profile
      </MenuLink>
      <MenuLink to="/profile#security-api-keys">
        <KeyRound size={14} aria-hidden /> API Keys
      </MenuLink>
      <MenuSeparator />
      <MenuChoice
        label="Colours"
        value={preset}
        options={colourPresets.map((value) => ({ value, label: <PresetLabel preset={value} /> }))}
        onChange={(value) => setColourPreset(value as ColourPreset)}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>
        <LogOut size={14} aria-hidden /> Logout
      </MenuItem>
    </Menu>
  )
}

/** One preset is called default, another is set at start: each says which it is. */
const presetNotes: Partial<Record<ColourPreset, string>> = {
  default: 'indigo',
  ocean: 'set at start',
}

function PresetLabel({ preset }: { preset: ColourPreset }) {
  return (
    <>
      <span data-preset={preset} aria-hidden className="flex overflow-hidden rounded-sm">
        <i className="h-3 w-2 bg-(--primary-500)" />
        <i className="h-3 w-2 bg-(--tertiary-500)" />
        <i className="h-3 w-2 bg-(--accent-400)" />
      </span>
      <span className="capitalize">{preset}</span>
      {presetNotes[preset] && <span className="text-xs text-ink-3">{presetNotes[preset]}</span>}
    </>
  )
}

/** Ends the session on the server; offline it simply runs out there. */
async function revokeSession(): Promise<void> {
  const { api } = await import('../../app/api.ts')
  await api.logout().catch(() => undefined)
}
