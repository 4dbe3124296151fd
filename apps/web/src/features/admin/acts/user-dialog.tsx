import { adminRoutes } from 'virtual:admin-routes'
import type { identityAdminRoutes } from '@holdfast/contracts/admin-users'
import type { Output } from '@holdfast/contracts/route'
import { APPROVER_AFTER_DAYS } from '@holdfast/kernel/admin'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { humanCase } from '../../../components/badge.js'
import { Dialog } from '../../../components/dialog.js'
import { Facts } from '../../../components/facts.js'
import { QueryState } from '../../../components/query-state.js'
import { Segmented } from '../../../components/segmented.js'
import { fullName, useSignedInUser } from '../../../lib/current-user.js'
import { paths } from '../../../lib/paths.js'
import { formatDateTime } from '../../../lib/time.js'
import { useCall } from '../../../lib/use-call.js'
import { VERIFICATION_LOOKS } from '../../profile/shared/verification-looks.js'
import { ConfirmOnDemand } from '../../security/shared/confirm-on-demand.js'
import { LoadingList } from '../loading-list.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'
import { Decision } from './verification-dialog.js'

type Details = Output<typeof identityAdminRoutes.getUser>

interface UserDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  userId: string | null
}

export default function UserDialog({ open, close, userId }: UserDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title="User" wide>
      {userId && <UserDetails key={userId} id={userId} />}
    </Dialog>
  )
}

/** One user: the account, the live sessions, and what an operator can do. */
function UserDetails({ id }: { id: string }) {
  const query = useCall(adminRoutes.getUser, { params: { userId: id } })
  return (
    <QueryState
      query={query}
      errorTitle="The user could not be loaded"
      loading={<LoadingList label="Loading the user" />}
    >
      {user => (
        <div className="grid gap-6">
          <Facts
            facts={[
              ...(user.closedAt
                ? [
                    {
                      label: 'Account',
                      value: `Closed ${formatDateTime(new Date(user.closedAt))}. The person is erased.`,
                    },
                  ]
                : [
                    { label: 'Name', value: `${fullName(user)} @${user.username}` },
                    { label: 'E-mail', value: user.email },
                  ]),
              ...(user.closingAt && !user.closedAt
                ? [{ label: 'Account', value: `Being closed since ${formatDateTime(new Date(user.closingAt))}` }]
                : []),
              { label: 'Verification', value: VERIFICATION_LOOKS[user.verificationStatus].label },
              ...(user.approvesFrom && Date.parse(user.approvesFrom) > Date.now()
                ? [{ label: 'Counts as a second admin from', value: formatDateTime(new Date(user.approvesFrom)) }]
                : []),
              ...(user.suspendedAt
                ? [{ label: 'Suspended since', value: formatDateTime(new Date(user.suspendedAt)) }]
                : []),
              { label: 'Plan', value: humanCase(user.plan) },
              { label: 'Completed transactions', value: user.totalTransactions },
              {
                label: 'Balance',
                value: (
                  <Link to={paths.adminAccount(`seller_payable:${user.id}`)} className="link">
                    Statement
                  </Link>
                ),
              },
            ]}
          />
          {!user.closedAt && (
            <section>
              <h3 className="mb-1 font-semibold">Live sessions: {user.liveSessions.length}</h3>
              <ul className="divide-y divide-rule border-y border-rule text-sm">
                {user.liveSessions.map(session => (
                  <li key={session.id} className="py-2 [overflow-wrap:anywhere]">
                    {session.clientIp ?? 'Unknown address'} since {formatDateTime(new Date(session.createdAt))}
                    <br />
                    <span className="text-ink-soft">{session.userAgent ?? 'Unknown browser'}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {!user.closingAt && <Acts user={user} />}
        </div>
      )}
    </QueryState>
  )
}

const ACTS = [
  { value: 'role', label: 'Role' },
  { value: 'verification', label: 'Verification' },
  { value: 'sessions', label: 'Sessions' },
  { value: 'suspension', label: 'Suspension' },
] as const
type Act = (typeof ACTS)[number]['value']

function Acts({ user }: { user: Details }) {
  const isSelf = useSignedInUser().id === user.id
  const [act, choose] = useState<Act>(isSelf ? 'sessions' : 'role')
  const other = user.role === 'admin' ? 'user' : 'admin'
  // The form begins anew after an act, with what the user is then.
  const [count, setCount] = useState(0)
  const onDone = () => setCount(count + 1)
  const role = useAct(adminRoutes.changeUserRole, {
    whether: 'the role was changed',
    done: ({ role }) => [`They are now ${role === 'admin' ? 'an admin' : 'a user'}`],
    onDone,
  })
  const isVerified = user.verificationStatus === 'approved'
  const verification = useAct(adminRoutes.decideVerification, {
    whether: 'the verification was changed',
    done: ({ verificationStatus }) =>
      verificationStatus === 'approved'
        ? ['They are verified', 'They can be paid out now.']
        : ['The verification is taken back', 'Nothing is paid out to them.'],
    onDone,
  })
  const sessions = useAct(adminRoutes.endUserSessions, {
    whether: 'the sessions were ended',
    done: () => ['Their sessions are ended', 'They must sign in again.'],
    onDone,
  })
  const suspension = useAct(adminRoutes.suspendUser, {
    whether: 'the suspension was changed',
    done: ({ suspendedAt }) =>
      suspendedAt !== null
        ? ['They are suspended', 'They are signed out everywhere.']
        : ['The suspension has ended', 'They can sign in again.'],
    onDone,
  })
  const isSuspended = user.suspendedAt !== null
  const params = { userId: user.id }
  return (
    <section className="grid gap-4">
      <ConfirmOnDemand confirmed={role.confirmed} />
      {!isSelf && (
        <Segmented
          legend="What to do"
          options={user.role === 'admin' ? ACTS.slice(0, 3) : ACTS}
          value={act}
          onChange={choose}
        />
      )}
      {act === 'role' ? (
        <ActForm
          key={`role ${count}`}
          now={
            user.role === 'admin'
              ? 'An admin: this console, and rulings on disputes.'
              : 'A user without access to this console.'
          }
          then={
            other === 'admin'
              ? `An admin from their next request on. For acts that need two admins they count after ${APPROVER_AFTER_DAYS} days.`
              : 'A user from their next request on.'
          }
          label={other === 'admin' ? 'Make them an admin' : 'Make them a user'}
          takesAway={other === 'user'}
          busy={role.busy}
          send={reason => role.send({ params, body: { role: other, reason } })}
        />
      ) : act === 'verification' && user.verificationStatus === 'submitted' ? (
        <Decision key={`documents ${count}`} userId={user.id} onDone={onDone} />
      ) : act === 'verification' ? (
        <ActForm
          key={`verification ${count}`}
          now={isVerified ? 'Verified: they are paid out.' : 'Not verified: nothing is paid out to them.'}
          then={
            isVerified
              ? 'Not verified: payouts stop, and what is released stays on their balance.'
              : 'Verified: their balance can be paid out, and everybody sees the mark.'
          }
          label={isVerified ? 'Take the verification back' : 'Verify them'}
          takesAway={isVerified}
          hint={isVerified ? 'The user reads it. It is also kept in the audit log.' : undefined}
          busy={verification.busy}
          send={reason =>
            verification.send({ params, body: { decision: isVerified ? 'rejected' : 'approved', reason } })
          }
        />
      ) : act === 'suspension' ? (
        <ActForm
          key={`suspension ${count}`}
          now={isSuspended ? 'Suspended: they cannot sign in.' : 'Not suspended.'}
          then={
            isSuspended
              ? 'They can sign in again, and others can open transactions with them.'
              : 'Signed out everywhere at once. They cannot sign in, and nobody can open a transaction with them. Their open transactions go on.'
          }
          label={isSuspended ? 'End the suspension' : 'Suspend them'}
          takesAway={!isSuspended}
          busy={suspension.busy}
          send={reason => suspension.send({ params, body: { isSuspended: !isSuspended, reason } })}
        />
      ) : (
        <ActForm
          key={`sessions ${count}`}
          now={`Signed in ${user.liveSessions.length} times.`}
          then="Signed in nowhere. Each browser must sign in again."
          label="End all sessions"
          takesAway
          busy={sessions.busy}
          send={reason => sessions.send({ params, body: { reason } })}
        />
      )}
    </section>
  )
}
