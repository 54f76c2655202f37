import { Menu as MenuIcon } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuLink } from '../../ui/menu.tsx'

/** The bar's links where it has no room for them. */
export function PagesMenu({ links }: { links: readonly { to: string; label: string }[] }) {
  return (
    <Menu
      align="start"
      trigger={
        <IconButton label="Pages" className="sm:hidden">
          <MenuIcon size={16} aria-hidden />
        </IconButton>
      }
    >
      {links.map(({ to, label }) => (
        <MenuLink key={to} to={to}>
          {label}
        </MenuLink>
      ))}
    </Menu>
  )
}
