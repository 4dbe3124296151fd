import { Menu, MenuLink } from '../../components/menu.js'
import type { MenuTrigger } from '../../components/menu-on-demand.js'
import { paths } from '../../lib/paths.js'
import { navLinks } from './nav-links.js'

export default function MobileMenuList({ trigger, signedIn }: MenuTrigger & { signedIn: boolean }) {
  return (
    <Menu label="Main" trigger={trigger}>
      <MenuLink to={paths.createListing}>Start Transaction</MenuLink>
      {navLinks(signedIn).map(link => (
        <MenuLink key={link.to} to={link.to}>
          {link.label}
        </MenuLink>
      ))}
    </Menu>
  )
}
