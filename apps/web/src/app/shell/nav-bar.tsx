import { pages } from '@holdfast/contracts/pages'
import { Link, NavLink, useLocation } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { classes } from '../../lib/class-names.js'
import { useSession } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { BrandMark } from './brand.js'
import { MobileMenu } from './mobile-menu.js'
import { navLinks } from './nav-links.js'
import { NotificationBell } from './notification-bell.js'
import { UserMenu } from './user-menu.js'

/** A visitor who signs in on an item's page comes back to the item. */
const isListing = (path: string) => path.startsWith(pages.listing.path.replace(':id', ''))

export function NavBar() {
  const { user } = useSession()
  const { pathname } = useLocation()
  return (
    <header className="border-b border-rule bg-paper print:hidden">
      {/* With very large text the bar has two rows. */}
      <div className="page flex min-h-16 flex-wrap items-center gap-x-4">
        <Link to={paths.home} className="-ml-1 flex min-h-11 items-center gap-2.5 px-1">
          <BrandMark />
          <span className="display text-lg">Holdfast</span>
        </Link>
        <nav aria-label="Main" className="ml-6 hidden items-center gap-1 lg:flex">
          {navLinks(Boolean(user)).map(link => (
            <NavLink
              key={link.to}
              to={link.to}
              end
              className={({ isActive }) =>
                classes(
                  'flex min-h-11 items-center rounded-md px-3 text-sm font-medium hover:text-ink',
                  isActive ? 'text-ink underline decoration-2 underline-offset-8' : 'text-ink-soft',
                )
              }
            >
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <div className="hidden sm:block">
            <ButtonLink to={paths.createListing} kind="quiet" size="sm">
              Start Transaction
            </ButtonLink>
          </div>
          {user ? (
            <>
              <NotificationBell />
              <UserMenu user={user} />
            </>
          ) : (
            <ButtonLink to={isListing(pathname) ? paths.authThen(pathname) : paths.auth} size="sm">
              Sign In
            </ButtonLink>
          )}
          <div className="lg:hidden">
            <MobileMenu signedIn={Boolean(user)} />
          </div>
        </div>
      </div>
    </header>
  )
}
