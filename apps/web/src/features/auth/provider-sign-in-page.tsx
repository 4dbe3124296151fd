import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import type { Outcome } from '../../lib/command-outcome.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { takeSignIn } from './begun-sign-in.js'
import { secondStepMethods } from './second-step-methods.js'
import { refusalWords } from './shared/refusal-words.js'

const SecondStep = lazy(() => import('./second-step.js'))

/** Where a provider leads back: finishes the sign-in that this tab began, and goes on to the page that was wanted. */
export default function ProviderSignInPage() {
  const [begun] = useState(() => takeSignIn())
  const navigate = useNavigate()
  const { search } = useLocation()
  const { give, outcome } = useCommand(routes.finishProviderSignIn, {
    whether: 'you are signed in',
    done: () => ['Signed in successfully!'],
    refused: () => null,
    showsUnknown: true,
    refresh: refreshCurrentUser,
  })
  const isSent = useRef(false)
  useEffect(() => {
    if (begun === null || isSent.current) return
    isSent.current = true
    void give({ body: { secret: begun.secret, answer: search } }).then(ended => {
      if (ended?.kind === 'done') navigate(begun.next, { replace: true })
    })
  })
  const methods = secondStepMethods(outcome)
  if (methods && begun) {
    return (
      <div className="page max-w-lg">
        <PageHead page={pages.providerSignIn} />
        <PageHeader title="One more step" />
        <Suspense fallback={<Skeleton className="h-56 rounded-lg" />}>
          <SecondStep
            methods={methods}
            onBack={() => navigate(paths.auth)}
            onDone={() => navigate(begun.next, { replace: true })}
          />
        </Suspense>
      </div>
    )
  }
  const problem = begun === null ? NOT_BEGUN : outcome && outcome.kind !== 'done' ? problemOf(outcome) : null
  return (
    <div className="page max-w-lg">
      <PageHead page={pages.providerSignIn} />
      <PageHeader title={problem === null ? 'Signing in' : 'This sign-in did not work'} />
      {problem === null ? (
        <Loading label="Signing in">
          <Skeleton className="h-24 w-full rounded-lg" />
        </Loading>
      ) : (
        <div className="grid gap-6">
          <Notice tone="trouble" alert>
            {problem}
          </Notice>
          <ButtonLink to={paths.auth}>Back to Sign In</ButtonLink>
        </div>
      )}
    </div>
  )
}

const NOT_BEGUN =
  'This sign-in has expired, was used already, or began in another browser or tab. Please sign in again.'

function problemOf(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): string {
  if (outcome.kind === 'refused') return outcome.error.status === 410 ? NOT_BEGUN : refusalWords(outcome.error)
  return 'The server gave no answer. Please sign in again.'
}
