import { routes } from 'virtual:routes'
import { useState } from 'react'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { LoadError } from '../../components/load-error.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { loadFailure, request } from '../../lib/api.js'
import { type CurrentUser, fullName, ratingLabel, useSignedInUser } from '../../lib/current-user.js'
import { formatDate, formatDateTime } from '../../lib/time.js'
import { toast, toastError } from '../../lib/toast.js'
import { useCall } from '../../lib/use-call.js'
import { useTitle } from '../../lib/use-title.js'
import { deviceName } from './device-name.js'

export default function ProfilePage() {
  useTitle('Profile')
  const user = useSignedInUser()
  return (
    <div className="page">
      <PageHeader
        title="Profile"
        lead="What Holdfast knows of you. Changing it, notification settings, payment methods and contacts open here soon."
      />
      <div className="grid grid-cols-1 gap-12 lg:grid-cols-2 lg:gap-16">
        <section>
          <h2 className="display mb-4 text-xl">Personal information</h2>
          <Facts facts={factsOf(user)} />
        </section>
        <Sessions />
      </div>
    </div>
  )
}

const factsOf = (user: CurrentUser) => [
  { label: 'Name', value: fullName(user) },
  { label: 'Username', value: `@${user.username}` },
  { label: 'Email', value: user.email },
  { label: 'Phone', value: user.phoneNumber ?? 'Not specified' },
  { label: 'Rating', value: ratingLabel(user.rating) },
  { label: 'Completed transactions', value: String(user.totalTransactions) },
  { label: 'Plan', value: user.plan === 'premium' ? 'Premium' : 'Standard' },
  { label: 'Member since', value: formatDate(new Date(user.createdAt)) },
]

/** Where this account is signed in; a session that one does not know can be ended. */
function Sessions() {
  const { data, error, mutate } = useCall(routes.listSessions, {})
  const [busy, setBusy] = useState(false)

  async function endOthers() {
    setBusy(true)
    try {
      await request(routes.endOtherSessions, {})
      await mutate()
      toast('Signed out everywhere else')
    } catch (failure) {
      toastError('Nothing was ended', loadFailure(failure))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section>
      <h2 className="display mb-4 text-xl">Where you are signed in</h2>
      {error && !data && <LoadError title="Could not be loaded" error={error} retry={() => void mutate()} />}
      {!data && !error && (
        <Loading label="Loading sessions">
          <Skeleton className="h-14 w-full" />
        </Loading>
      )}
      {data && (
        <>
          <ul className="divide-y divide-rule border-y border-rule">
            {data.map(session => (
              <li key={session.id} className="py-3">
                <p className="flex flex-wrap items-center gap-2.5 font-medium">
                  <span className="min-w-0 truncate">{deviceName(session.userAgent)}</span>
                  {session.current && <Badge>This one</Badge>}
                </p>
                <p className="text-sm text-ink-soft">
                  Since {formatDateTime(new Date(session.createdAt))}
                  {session.clientIp && `, from ${session.clientIp}`}
                </p>
              </li>
            ))}
          </ul>
          {data.length > 1 && (
            <Button kind="quiet" busy={busy} onClick={endOthers} className="mt-4">
              Sign Out Everywhere Else
            </Button>
          )}
        </>
      )}
    </section>
  )
}
