import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { maySubmitVerification } from '@holdfast/kernel/users'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { AddressTabs } from '../../components/address-tabs.js'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { type CurrentUser, ratingLabel, useSignedInUser } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate, formatDateTime } from '../../lib/time.js'
import { isAnswered, refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { ConfirmEmailBanner } from '../auth/shared/confirm-email-banner.js'
import { BlockedPeople } from './blocked-people.js'
import { deviceName } from './device-name.js'
import { NotificationSettings } from './notification-settings.js'
import { VERIFICATION_LOOKS } from './shared/verification-looks.js'

const AboutYou = lazy(() => import('./about-you.js'))
const OwnAccount = lazy(() => import('./own-account.js'))
// The code of payouts is loaded when its tab is opened.
const LazyPaymentsTab = lazy(() => import('./payments-tab.js'))

// The search for people is loaded with this tab.
const LazyContactsTab = lazy(() => import('./contacts-tab.js'))

// The code of the second factor is loaded with this tab.
const LazySecuritySection = lazy(() => import('../security/shared/security-section.js'))

const TABS = [
  { value: 'settings', label: 'Settings', content: <SettingsTab /> },
  { value: 'security', label: 'Security', content: <SecurityTab /> },
  { value: 'payments', label: 'Payments', content: <PaymentsTab /> },
  { value: 'contacts', label: 'Saved Contacts', content: <ContactsTab /> },
] as const

export default function ProfilePage() {
  return (
    <div className="page">
      <PageHead page={pages.profile} />
      <PageHeader title="Profile" lead="What Holdfast knows of you, how you are paid, and whom you know here." />
      <AddressTabs label="Parts of your profile" tabs={TABS} />
    </div>
  )
}

function SettingsTab() {
  const user = useSignedInUser()
  const isAccountShown = useIsLoaded()
  return (
    <div className="grid grid-cols-1 gap-12 lg:grid-cols-2 lg:gap-16">
      <div className="grid grid-cols-1 content-start gap-12">
        <Suspense fallback={<Skeleton className="h-152 rounded-lg lg:h-128" />}>
          <AboutYou />
        </Suspense>
        <NotificationSettings />
      </div>
      <div className="grid grid-cols-1 content-start gap-12">
        <section>
          <h2 className="display mb-4 text-xl">Account</h2>
          {!user.emailConfirmed && (
            <div className="mb-4">
              <ConfirmEmailBanner user={user} />
            </div>
          )}
          <Facts facts={factsOf(user)} />
        </section>
        <Sessions />
        <BlockedPeople />
        <Suspense fallback={<AccountSkeleton />}>{isAccountShown ? <OwnAccount /> : <AccountSkeleton />}</Suspense>
      </div>
    </div>
  )
}

const AccountSkeleton = () => <Skeleton className="h-160 rounded-lg" />

/** Whether the lists above the forms of the account are there. They would push the field that someone types in out of the window. */
function useIsLoaded(): boolean {
  const lists = [
    useCall(routes.getNotificationSettings, {}),
    useCall(routes.listSessions, {}),
    useCall(routes.listBlockedUsers, {}),
  ]
  return lists.every(isAnswered)
}

function SecurityTab() {
  return (
    <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
      <LazySecuritySection />
    </Suspense>
  )
}

function PaymentsTab() {
  return (
    <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
      <LazyPaymentsTab />
    </Suspense>
  )
}

function ContactsTab() {
  return (
    <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
      <LazyContactsTab />
    </Suspense>
  )
}

const factsOf = (user: CurrentUser) => [
  { label: 'Email address', value: user.emailConfirmed ? 'Confirmed' : 'Not confirmed yet' },
  { label: 'Identity', value: <IdentityFact user={user} /> },
  { label: 'Rating', value: ratingLabel(user.rating) },
  { label: 'Completed transactions', value: String(user.totalTransactions) },
  { label: 'Plan', value: user.plan === 'premium' ? 'Premium' : 'Standard' },
  { label: 'Member since', value: formatDate(new Date(user.createdAt)) },
]

/** The state of the verification, and the way on where there is one. */
function IdentityFact({ user: { verificationStatus, verificationReason } }: { user: CurrentUser }) {
  const { label } = VERIFICATION_LOOKS[verificationStatus]
  if (!maySubmitVerification(verificationStatus)) return label
  return (
    <>
      {label}.{' '}
      <Link to={paths.verification} className="link">
        {verificationStatus === 'rejected' ? 'Send new documents' : 'Get verified'}
      </Link>
      {verificationReason !== null && (
        <span className="typed block text-sm font-normal text-ink-soft">{verificationReason}</span>
      )}
    </>
  )
}

/** Where this account is signed in. Each session but this one can be ended, or all of them. */
function Sessions() {
  const query = useCall(routes.listSessions, {})
  const endOthers = useCommand(routes.endOtherSessions, {
    whether: 'the other sessions were ended',
    done: () => ['Signed out everywhere else'],
    refused: error => ['The other sessions were not ended', error.serverMessage],
    refresh: () => refresh(routes.listSessions),
  })
  const endOne = useCommand(routes.endSession, {
    whether: 'the session was ended',
    done: () => ['Signed out there'],
    refused: error => ['The session was not ended', error.serverMessage],
    refresh: () => refresh(routes.listSessions),
  })
  return (
    <section>
      <h2 className="display mb-4 text-xl">Where you are signed in</h2>
      <QueryState query={query} errorTitle="The sessions could not be loaded" loading={<SessionsSkeleton />}>
        {sessions => (
          <>
            <ul className="divide-y divide-rule border-y border-rule">
              {sessions.map(session => (
                <li key={session.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
                  <div className="min-w-0">
                    <p className="flex flex-wrap items-center gap-2.5 font-medium">
                      <span className="min-w-0 truncate">{deviceName(session.userAgent)}</span>
                      {session.current && <Badge>This one</Badge>}
                    </p>
                    <p className="text-sm text-ink-soft">
                      Since {formatDateTime(new Date(session.createdAt))}
                      {session.clientIp &&
                        `, from ${session.place ? `${session.place} (${session.clientIp})` : session.clientIp}`}
                    </p>
                  </div>
                  {!session.current && (
                    <Button
                      kind="quiet"
                      size="sm"
                      busy={endOne.busy}
                      onClick={() => void endOne.give({ params: { sessionId: session.id } })}
                    >
                      Sign Out
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.length > 1 && (
              <Button kind="quiet" busy={endOthers.busy} onClick={() => void endOthers.give({})} className="mt-4">
                Sign Out Everywhere Else
              </Button>
            )}
          </>
        )}
      </QueryState>
    </section>
  )
}

function SessionsSkeleton() {
  return (
    <Loading label="Loading sessions">
      <Skeleton className="h-14 w-full" />
    </Loading>
  )
}
