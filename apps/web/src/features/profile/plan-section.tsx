import { routes } from 'virtual:routes'
import type { Subscription } from '@holdfast/contracts/subscriptions'
import { useState } from 'react'
import { AlertDialog } from '../../components/alert-dialog.js'
import { Button, ButtonLink } from '../../components/button.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { YourPremium } from '../plans/shared/your-premium.js'
import { Invoices } from './invoices.js'

/** The plan, what is charged next, cancelling it, and its invoices. */
export function PlanSection() {
  const query = useCall(routes.getSubscription, {})
  return (
    <section>
      <h2 className="display mb-4 text-xl">Plan</h2>
      <QueryState
        query={query}
        errorTitle="Your plan could not be loaded"
        loading={
          <Loading label="Loading your plan">
            <Skeleton className="h-20 w-full" />
          </Loading>
        }
      >
        {subscription => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-y border-rule py-4">
              <YourPremium subscription={subscription} />
              <Steps subscription={subscription} />
            </div>
            {subscription.status !== 'none' && <Invoices />}
          </>
        )}
      </QueryState>
    </section>
  )
}

const refreshPlan = () => refresh(routes.getSubscription, routes.listInvoices, routes.getCurrentUser)

function Steps({ subscription }: { subscription: Subscription }) {
  const { status, cancelsAtPeriodEnd, moneyBack } = subscription
  if (status === 'none' || status === 'ended')
    return (
      <ButtonLink to={paths.upgrade} kind="quiet">
        Upgrade to Premium
      </ButtonLink>
    )
  if (status === 'incomplete') return <ButtonLink to={paths.subscribe}>Finish Subscribing</ButtonLink>
  // It ends by itself, and cannot be resumed while the payer has the money back.
  if (moneyBack) return null
  // A period that is not paid comes first: also when Premium is to end with it, it can be paid.
  if (cancelsAtPeriodEnd && status !== 'past_due') return <Resume />
  return (
    <div className="flex flex-wrap gap-3">
      {status === 'past_due' && <ButtonLink to={paths.subscribe}>Pay Now</ButtonLink>}
      <Cancel subscription={subscription} />
    </div>
  )
}

function Resume() {
  const resume = useCommand(routes.resumeSubscription, {
    whether: 'Premium goes on',
    done: () => ['Premium goes on', 'It is charged again at the end of the period.'],
    refused: error => ['Premium could not be resumed', error.serverMessage],
    refresh: refreshPlan,
  })
  return (
    <Button busy={resume.busy} onClick={() => void resume.give({})}>
      {resume.busy ? 'Resuming...' : 'Resume Premium'}
    </Button>
  )
}

function Cancel({ subscription: { status, periodEndsAt } }: { subscription: Subscription }) {
  const [isAsked, setAsked] = useState(false)
  const isUnpaid = status === 'past_due'
  const cancel = useCommand(routes.cancelSubscription, {
    whether: 'Premium was cancelled',
    done: () => ['Premium cancelled', 'Nothing more is charged.'],
    refused: error => ['Premium could not be cancelled', error.serverMessage],
    onDone: () => setAsked(false),
    refresh: refreshPlan,
  })
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        Cancel Premium
      </Button>
      <AlertDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Cancel Premium?"
        description={
          isUnpaid
            ? 'Premium ends at once, since this period is not paid. Nothing is charged any more.'
            : // The card of a period that has just begun is charged an hour later. Until then that period is not paid, and ends at once.
              `You keep Premium for the time that you have paid: until ${formatDate(new Date(periodEndsAt ?? Date.now()))} at the latest. Nothing more is charged. You can resume it until then.`
        }
        confirm="Cancel Premium"
        busyWords="Cancelling..."
        busy={cancel.busy}
        onConfirm={() => void cancel.give({})}
      />
    </>
  )
}
