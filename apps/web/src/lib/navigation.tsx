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
export interface Place {
  readonly path: string
  /** With its `?`, or empty. */
  readonly search: string
  /** With its `#`, or empty. */
  readonly hash: string
  /** What led there: the page was loaded, the app or a link of it went there, or the reader went Back or Forward. */
  readonly by: 'load' | 'app' | 'history'
}

interface NavigateOptions {
  /** The new address takes the place of the current one in the history, so that Back does not lead to it. */
  readonly replace?: boolean | undefined
}

/** Goes to an address of the web app. */
type Navigate = (to: string, options?: NavigateOptions) => void

interface NavigationState {
  readonly place: Place
  readonly navigate: Navigate
  /** The code of the next page is being loaded. Until it is there, the current page stays. */
  readonly isLoading: boolean
}

const NavigationContext = createContext<NavigationState | null>(null)

/** Where the reader is, and how to go elsewhere. @throws Error outside of `<Navigation>` */
export function useNavigation(): NavigationState {
  const state = use(NavigationContext)
  if (!state) throw new Error('what navigates must be inside <Navigation>')
  return state
}

export const useNavigate = (): Navigate => useNavigation().navigate
export const usePlace = (): Place => useNavigation().place

/**
 * Follows the address of the browser. The router reads the place from here and not from the browser, because the place
 * changes only when the next page can be shown.
 */
export function Navigation({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(() => readPlace('load'))
  const [isLoading, startTransition] = useTransition()
  const navigate = useCallback<Navigate>((to, { replace } = {}) => {
    window.history[replace ? 'replaceState' : 'pushState'](null, '', to)
    startTransition(() => setPlace(readPlace('app')))
  }, [])
  useEffect(() => {
    const follow = () => startTransition(() => setPlace(readPlace('history')))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  useScroll(place)
  const state = useMemo(() => ({ place, navigate, isLoading }), [place, navigate, isLoading])
  return (
    <NavigationContext value={state}>
      <Router hook={useRouterLocation}>{children}</Router>
    </NavigationContext>
  )
}

function useRouterLocation(): [string, Navigate] {
  const { place, navigate } = useNavigation()
  return [place.path, navigate]
}

function readPlace(by: Place['by']): Place {
  const { pathname, search, hash } = window.location
  return { path: pathname, search, hash, by }
}

/**
 * A new page begins at its top, or at the section that the address names. Another search on the same page keeps the place of
 * the reader. After Back and Forward the browser itself scrolls to where the reader was.
 */
function useScroll(place: Place): void {
  const shownPath = useRef(place.path)
  useLayoutEffect(() => {
    const isNewPage = shownPath.current !== place.path
    shownPath.current = place.path
    if (place.by !== 'app') return
    const section = place.hash && document.getElementById(place.hash.slice(1))
    if (section) section.scrollIntoView()
    else if (isNewPage) window.scrollTo({ top: 0 })
  }, [place])
}

/** The query of the address, and how to change it: a new step for Back, unless `replace` is set. */
export function useSearchParams(): [URLSearchParams, (next: URLSearchParams, options?: NavigateOptions) => void] {
  const { place, navigate } = useNavigation()
  const params = useMemo(() => new URLSearchParams(place.search), [place.search])
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
