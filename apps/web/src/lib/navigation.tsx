import {
  type AnchorHTMLAttributes,
  createContext,
  type ReactNode,
  type RefAttributes,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useTransition,
} from 'react'
import { Router, Link as RouterLink } from 'wouter'

/** An address of the web app. Each navigation makes a new object, also when it leads to the same address. */
export interface AppLocation {
  readonly path: string
  /** With its `?`, or empty. */
  readonly search: string
  /** With its `#`, or empty. */
  readonly hash: string
  /** What led there: the page was loaded, the app or a link of it went there, or the reader went Back or Forward. */
  readonly by: 'load' | 'app' | 'history'
}

interface NavigateOptions {
  /** Replaces the current address in the history, so that Back does not lead to it. */
  readonly replace?: boolean | undefined
}

/** Goes to an address of the web app. */
type Navigate = (to: string, options?: NavigateOptions) => void

interface NavigationState {
  readonly location: AppLocation
  readonly navigate: Navigate
  /** Whether the code of the next page is being loaded. The current page stays until then. */
  readonly isLoading: boolean
}

const NavigationContext = createContext<NavigationState | null>(null)

/** The current address, and how to go to another one. @throws Error outside of `<Navigation>` */
export function useNavigation(): NavigationState {
  const state = use(NavigationContext)
  if (!state) throw new Error('this hook needs a <Navigation> around it')
  return state
}

export const useNavigate = (): Navigate => useNavigation().navigate
export const useLocation = (): AppLocation => useNavigation().location

/**
 * Follows the address of the browser. The router reads the location from here and not from the browser: here it changes only
 * when the next page can be shown.
 */
export function Navigation({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(() => readLocation('load'))
  const [isLoading, startTransition] = useTransition()
  const navigate = useCallback<Navigate>((to, { replace } = {}) => {
    // As with plain links, the address that is shown already is no new step in the history.
    const isShown = new URL(to, window.location.href).href === window.location.href
    window.history[replace || isShown ? 'replaceState' : 'pushState'](null, '', to)
    startTransition(() => setLocation(readLocation('app')))
  }, [])
  useEffect(() => {
    const follow = () => startTransition(() => setLocation(readLocation('history')))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  useScroll(location)
  const state = useMemo(() => ({ location, navigate, isLoading }), [location, navigate, isLoading])
  return (
    <NavigationContext value={state}>
      <Router hook={useRouterLocation}>{children}</Router>
    </NavigationContext>
  )
}

function useRouterLocation(): [string, Navigate] {
  const { location, navigate } = useNavigation()
  return [location.path, navigate]
}

function readLocation(by: AppLocation['by']): AppLocation {
  const { pathname, search, hash } = window.location
  return { path: pathname, search, hash, by }
}

/**
 * A new page begins at its top, or at the section that the address names. Another search on the same page keeps the scroll
 * position. After Back and Forward the browser itself restores it.
 */
function useScroll(location: AppLocation): void {
  const shownPath = useRef(location.path)
  useLayoutEffect(() => {
    const isNewPage = shownPath.current !== location.path
    shownPath.current = location.path
    if (location.by !== 'app') return
    const section = location.hash && document.getElementById(location.hash.slice(1))
    if (section) {
      section.scrollIntoView()
      // The keyboard goes on from there, where the section takes the focus (`tabIndex={-1}`).
      section.focus({ preventScroll: true })
    } else if (isNewPage) window.scrollTo({ top: 0 })
  }, [location])
}

/** The query of the address, and how to change it. A change is a new step in the history, unless `replace` is set. */
export function useSearchParams(): [URLSearchParams, (next: URLSearchParams, options?: NavigateOptions) => void] {
  const { location, navigate } = useNavigation()
  const params = useMemo(() => new URLSearchParams(location.search), [location.search])
  const setParams = useCallback(
    (next: URLSearchParams, options?: NavigateOptions) => {
      const search = next.toString()
      navigate(`${window.location.pathname}${search && '?'}${search}`, options)
    },
    [navigate],
  )
  return [params, setParams]
}

export interface LinkProps
  extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>,
    RefAttributes<HTMLAnchorElement> {
  to: string
  children: ReactNode
}

/** A link to a page of the web app. */
export function Link(props: LinkProps) {
  return <RouterLink {...props} />
}

/** Replaces the current page by another one. */
export function Redirect({ to }: { to: string }): null {
  const navigate = useNavigate()
  useEffect(() => navigate(to, { replace: true }), [to, navigate])
  return null
}
