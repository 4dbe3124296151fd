import { routes } from 'virtual:routes'
import type { PayoutAccount } from '@holdfast/contracts/payouts'
import type { PayoutAccountStatus } from '@holdfast/kernel/payouts'
import { useEffect } from 'react'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { ConfirmOnDemand } from '../security/shared/confirm-on-demand.js'
import { CONFIRMATION_REQUIRED, useConfirmed } from '../security/shared/use-confirmed.js'

/** While the provider checks an account, the page asks this often. */
const POLL_MS = 4_000

const BADGES: Record<PayoutAccountStatus, BadgeLooks> = {
  none: { label: 'None' },
  onboarding: { label: 'Not finished' },
  ready: { label: 'Ready', dot: 'green' },
  restricted: { label: 'Stopped', tone: 'trouble' },
}

const WORDS: Record<PayoutAccountStatus, { text: string; button: string }> = {
  none: {
    text: 'Holdfast pays through Stripe. Its form asks for your bank account; Holdfast never sees the number.',
    button: 'Add Payout Account',
  },
  onboarding: { text: 'Stripe still needs details from you.', button: 'Continue With Stripe' },
  ready: { text: 'Payouts go into this account.', button: 'Change Payout Account' },
  restricted: { text: 'Stripe pays nothing into this account now.', button: 'Update Payout Account' },
}

/** The bank account into which the seller is paid, and the way to the provider's form. */
export function PayoutAccountSection() {
  const query = useCall(
    routes.getPayoutAccount,
    {},
    { refreshInterval: latest => (latest?.status === 'onboarding' ? POLL_MS : 0) },
  )
  return (
    <div>
      <h3 className="border-b border-ink pb-2 font-semibold">Payout account</h3>
      <QueryState
        query={query}
        errorTitle="Your payout account could not be loaded"
        loading={
          <Loading label="Loading the payout account">
            <Skeleton className="mt-3 h-14 w-full" />
          </Loading>
        }
      >
        {account => <Account account={account} />}
      </QueryState>
    </div>
  )
}

function Account({ account: { status, bankLabel, reason } }: { account: PayoutAccount }) {
  const open = useCommand(routes.putPayoutAccount, {
    whether: 'the form was opened',
    done: () => null,
    refused: error =>
      error.code === CONFIRMATION_REQUIRED ? null : ['The form could not be opened', error.serverMessage],
    onDone: ({ onboardingUrl }) => window.location.assign(onboardingUrl),
    refresh: () => refresh(routes.getPayoutAccount),
  })
  const confirmed = useConfirmed()
  // What can be paid out depends on the account.
  useEffect(() => {
    if (status === 'ready') void refresh(routes.getPayouts)
  }, [status])
  const { text, button } = WORDS[status]
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-rule py-4">
      <div className="min-w-0">
        {status !== 'none' && (
          <p className="flex flex-wrap items-center gap-3 font-semibold">
            {bankLabel ?? 'No bank account yet'}
            <StatusBadge status={status} looks={BADGES[status]} />
          </p>
        )}
        <p className="max-w-text text-ink-soft">{reason ?? text}</p>
      </div>
      <Button kind="quiet" busy={open.busy} onClick={() => void confirmed.run(() => open.give({}))}>
        {button}
      </Button>
      <ConfirmOnDemand confirmed={confirmed} />
    </div>
  )
}
