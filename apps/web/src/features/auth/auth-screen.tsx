import { pages } from '@holdfast/contracts/pages'
import type { SecondFactorMethod } from '@holdfast/kernel/second-factors'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { TextLink } from '../../components/link.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { Skeleton } from '../../components/skeleton.js'
import { Tabs } from '../../components/tabs.js'
import { paths, sections } from '../../lib/paths.js'
import { ProviderButtons } from './provider-buttons.js'
import { SignInForm } from './sign-in-form.js'
import { SignUpForm } from './sign-up-form.js'

// Few people need it, and only after their password.
const SecondStep = lazy(() => import('./second-step.js'))
const PasskeyButton = lazy(() => import('./passkey-button.js'))

type AuthTab = 'sign-in' | 'sign-up'

interface AuthScreenProps {
  /** The page was open already when the session ended. */
  sessionEnded?: boolean
  /** What the requested page says to a signed-out visitor. */
  words?: { readonly title: string; readonly text?: string } | undefined
}

/** Sign-in and sign-up. The page around it decides what shows after the sign-in. */
export default function AuthScreen({ sessionEnded = false, words }: AuthScreenProps) {
  const [query] = useSearchParams()
  const [tab, setTab] = useState<AuthTab>(query.get('tab') === 'sign-up' ? 'sign-up' : 'sign-in')
  const [methods, setMethods] = useState<readonly SecondFactorMethod[] | null>(null)
  if (methods) {
    return (
      <div className="page max-w-lg pt-10 sm:pt-16">
        <PageHead page={pages.auth} />
        <h1 className="display mb-6 text-3xl">One more step</h1>
        <Suspense fallback={<Skeleton className="h-56 rounded-lg" />}>
          <SecondStep methods={methods} onBack={() => setMethods(null)} />
        </Suspense>
      </div>
    )
  }
  return (
    <div className="page grid gap-12 pt-10 sm:pt-16 lg:grid-cols-[minmax(0,27rem)_1fr] lg:gap-24">
      <PageHead page={pages.auth} />
      <div>
        <h1 className="display text-3xl">{words?.title ?? (tab === 'sign-in' ? 'Welcome back' : 'Open an account')}</h1>
        {words && (
          <p className="mt-2 text-ink-soft">
            {words.text && `${words.text} `}
            <TextLink to={paths.auth}>Go to the sign-in page</TextLink>
          </p>
        )}
        {sessionEnded && <SessionEnded />}
        <div className="mt-6">
          <Tabs<AuthTab>
            label="Sign in or sign up"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'sign-in', label: 'Sign In', content: <SignInForm onSecondStep={setMethods} /> },
              { value: 'sign-up', label: 'Sign Up', content: <SignUpForm /> },
            ]}
          />
        </div>
        <p className="my-6 flex items-center gap-4 text-sm text-ink-faint before:h-px before:flex-1 before:bg-rule after:h-px after:flex-1 after:bg-rule">
          or
        </p>
        <div className="grid gap-2.5">
          <Suspense fallback={<Skeleton className="h-11 rounded-md" />}>
            <PasskeyButton />
          </Suspense>
          <ProviderButtons />
        </div>
        <p className="mt-6 text-sm text-ink-soft">
          By signing in, you agree to our <TextLink to={sections.terms}>Terms of Service</TextLink> and{' '}
          <TextLink to={sections.privacy}>Privacy Policy</TextLink>.
        </p>
      </div>
      <Promises />
    </div>
  )
}

/** Takes the focus, because the page before may have been scrolled far down. */
function SessionEnded() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} tabIndex={-1} className="mt-6 scroll-mt-40 outline-none">
      <Notice alert title="You have been signed out">
        Sign in again to go on where you were. What you typed in this tab is kept for you, except card details.
      </Notice>
    </div>
  )
}

/** What an account means for the user's money. Shown beside the form on wide screens. */
function Promises() {
  return (
    <aside
      aria-label="What an account is for"
      className="hidden content-start border-l border-rule pl-12 lg:grid lg:gap-8 lg:pt-16"
    >
      {PROMISES.map(promise => (
        <div key={promise.title} className="max-w-sm">
          <h2 className="font-semibold">{promise.title}</h2>
          <p className="mt-1 text-ink-soft">{promise.text}</p>
        </div>
      ))}
    </aside>
  )
}

const PROMISES = [
  {
    title: 'The money waits in the middle',
    text: 'A payment is held for its one transaction. The seller sees that it is there, and can be sure of it.',
  },
  {
    title: 'Every step has a date',
    text: 'You always see whose turn it is, until when, and what happens if no one acts in time.',
  },
  {
    title: 'A dispute keeps the money held',
    text: 'It does not move the deadlines of whoever filed it, and has deadlines of its own.',
  },
] as const
