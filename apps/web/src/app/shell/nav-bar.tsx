import { lazy, Suspense } from 'react'
import { ButtonLink } from '../../components/button.js'
import { Skeleton } from '../../components/skeleton.js'
import { classes } from '../../lib/class-names.js'
import { useSession } from '../../lib/current-user.js'
import { Link, usePlace } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'
import { BrandMark } from './brand.js'
import { navLinks } from './nav-links.js'

const AccountControls = lazy(() => import('./account-controls.js'))
const MobileMenu = lazy(() => import('./mobile-menu.js'))

export function NavBar() {
  const { user } = useSession()
  const { path } = usePlace()
  return (
    <header className="border-b border-rule bg-paper">
      <div className="page flex h-16 items-center gap-4">
        <Link to={paths.home} className="-ml-1 flex min-h-11 items-center gap-2.5 px-1">
          <BrandMark />
          <span className="display text-lg">Holdfast</span>
        </Link>
        <nav aria-label="Main" className="ml-6 hidden items-center gap-1 lg:flex">
          {navLinks(Boolean(user)).map(link => (
            <Link
              key={link.to}
              to={link.to}
              aria-current={link.to === path ? 'page' : undefined}
              className={classes(
                'flex min-h-11 items-center rounded-md px-3 text-sm font-medium hover:text-ink',
                link.to === path ? 'text-ink underline decoration-2 underline-offset-8' : 'text-ink-soft',
              )}
            >
              {link.label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <div className="hidden sm:block">
            <ButtonLink to={paths.createListing} kind="quiet" size="sm">
              Start Transaction
            </ButtonLink>
          </div>
          {user ? (
            <Suspense fallback={<ControlPlaces count={2} />}>
              <AccountControls user={user} />
            </Suspense>
          ) : (
            <ButtonLink to={paths.auth} size="sm">
              Sign In
            </ButtonLink>
          )}
          <div className="lg:hidden">
            <Suspense fallback={<ControlPlaces count={1} />}>
              <MobileMenu signedIn={Boolean(user)} />
            </Suspense>
          </div>
        </div>
      </div>
    </header>
  )
}

/** Keeps the room of controls that are still being loaded. */
function ControlPlaces({ count }: { count: number }) {
  return Array.from({ length: count }, (_, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the places are all alike
    <div key={place} className="grid size-11 place-items-center">
      <Skeleton className="size-5" />
    </div>
  ))
}
