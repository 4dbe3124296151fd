import { routes } from 'virtual:routes'
import { SIGN_IN_PROVIDER_LABELS, SIGN_IN_PROVIDERS, type SignInProvider } from '@holdfast/kernel/sign-in-providers'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { keepSignIn } from './begun-sign-in.js'
import { pageAfterSignIn } from './page-after-sign-in.js'
import { refusalWords } from './shared/refusal-words.js'

/** Buttons that lead to the sign-in pages of Google, Apple and Microsoft. */
export function ProviderButtons() {
  return (
    <div className="grid gap-2.5">
      {SIGN_IN_PROVIDERS.map(provider => (
        <ProviderButton key={provider} provider={provider} />
      ))}
    </div>
  )
}

function ProviderButton({ provider }: { provider: SignInProvider }) {
  const label = SIGN_IN_PROVIDER_LABELS[provider]
  const navigate = useNavigate()
  const next = useNextPage()
  const { give, busy } = useCommand(routes.startProviderSignIn, {
    whether: `you can sign in with ${label}`,
    done: () => null,
    // Without a configured provider the button says so: a button that does nothing would leave the visitor waiting.
    refused: error =>
      error.status === 404
        ? [`${label} is not connected here`, 'Please sign in with your email and password.']
        : ['Error', refusalWords(error)],
    refresh: async () => undefined,
  })

  async function start() {
    const outcome = await give({ params: { provider } })
    if (outcome?.kind === 'refused' && outcome.error.status === 404) return navigate(paths.dashboard, { replace: true })
    if (outcome?.kind !== 'done') return
    const { url, secret } = outcome.answer
    keepSignIn({ secret, next })
    window.location.assign(url)
  }

  return (
    <Button kind="quiet" busy={busy} onClick={() => void start()}>
      Continue with {label}
    </Button>
  )
}

/** Where the sign-in leads: on the sign-in page to the page that its address names; on a page that shows the sign-in screen in its place, to that page. */
function useNextPage(): string {
  const [query] = useSearchParams()
  const { pathname, search } = useLocation()
  return pathname === paths.auth ? pageAfterSignIn(query) : pathname + search
}
