import { paths } from '../../lib/paths.js'

/** Where the sign-in screen leads: to the page that `paths.authThen` named, never to another site; else to the dashboard. */
export function pageAfterSignIn(query: URLSearchParams): string {
  const next = query.get('next') ?? ''
  const { origin } = window.location
  return next.startsWith('/') && URL.canParse(next, origin) && new URL(next, origin).origin === origin
    ? next
    : paths.dashboard
}
