import { MenuIcon } from 'lucide-react'
import { Menu, MenuLink } from '../../components/menu.js'
import { paths } from '../../lib/paths.js'
import { navLinks } from './nav-links.js'

/** The bar's links where the bar is too narrow for them. */
export default function MobileMenu({ signedIn }: { signedIn: boolean }) {
  return (
    <Menu
      label="Main"
      trigger={
        <button type="button" aria-label="Menu" className="grid size-11 place-items-center rounded-md hover:bg-sunken">
          <MenuIcon aria-hidden="true" className="size-5" />
        </button>
      }
    >
      <MenuLink to={paths.createListing}>Start Transaction</MenuLink>
      {navLinks(signedIn).map(link => (
        <MenuLink key={link.to} to={link.to}>
          {link.label}
        </MenuLink>
      ))}
    </Menu>
  )
}
