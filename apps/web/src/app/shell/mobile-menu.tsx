import { MenuIcon } from 'lucide-react'
import { menuOnDemand } from '../../components/menu-on-demand.js'

const List = menuOnDemand(() => import('./mobile-menu-list.js'))

/** The bar's links where the bar is too narrow for them. */
export function MobileMenu({ signedIn }: { signedIn: boolean }) {
  return (
    <List
      signedIn={signedIn}
      trigger={
        <button type="button" aria-label="Menu" className="grid size-11 place-items-center rounded-md hover:bg-sunken">
          <MenuIcon aria-hidden="true" className="size-5" />
        </button>
      }
    />
  )
}
