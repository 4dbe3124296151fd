import { routes } from 'virtual:routes'
import type { PayoutsOverview } from '@holdfast/contracts/payouts'
import { displayAmount } from '@holdfast/kernel/money'
import { PAYOUT_BLOCK_TEXTS, type PayoutBlock } from '@holdfast/kernel/payouts'
import { type ReactNode, useState } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { LoadError } from '../../components/load-error.js'
import { Money } from '../../components/money.js'
import { Notice } from '../../components/notice.js'
import { QueryState } from '../../components/query-state.js'
import { ShowMore } from '../../components/show-more.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { formatDeadline } from '../../lib/time.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { useNow } from '../../lib/use-now.js'
import { usePages } from '../../lib/use-pages.js'
import { SendConfirmation } from '../auth/shared/send-confirmation.js'
import { Chargebacks } from './chargebacks.js'
import { PayoutAccountSection } from './payout-account.js'
import { PayoutRow } from './payout-row.js'

/** What follows the list on the page is not far below it. */
const PAYOUTS_OF_A_PAGE = 10

/** A seller's balance, their payout account, and their payouts. */
export function Payouts() {
  const query = useCall(routes.getPayouts, {})
  return (
    <section>
      <h2 className="display mb-4 text-xl">Payouts</h2>
      <QueryState
        query={query}
        errorTitle="Your payouts could not be loaded"
        loading={
          <Loading label="Loading payouts">
            <Skeleton className="h-28 w-full" />
          </Loading>
        }
      >
        {overview => (
          <div className="grid gap-8">
            <Balance overview={overview} />
            <Chargebacks overview={overview} />
            <PayoutAccountSection />
            <PayoutList />
          </div>
        )}
      </QueryState>
    </section>
  )
}

function Balance({ overview }: { overview: PayoutsOverview }) {
  const { currency, available, inTransit, paid, blockedBy } = overview
  const blocks = overview.blocks ?? (blockedBy === null ? [] : [blockedBy])
  return (
    <div className="grid gap-5">
      <dl className="grid divide-y divide-rule border-y border-rule sm:grid-cols-3 sm:divide-x sm:divide-y-0">
        <Figure label="Available">
          <Money amount={available} currency={currency} className="text-2xl font-semibold" />
        </Figure>
        <Figure label="In transit to your bank">
          <Money amount={inTransit} currency={currency} className="text-2xl" />
        </Figure>
        <Figure label="Paid out">
          <Money amount={paid} currency={currency} className="text-2xl" />
        </Figure>
      </dl>
      {blocks.length === 0 ? (
        <PayOutNow overview={overview} />
      ) : (
        <Blocked blocks={blocks} waitsUntil={overview.waitsUntil} />
      )}
    </div>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-3 sm:block sm:px-5 sm:first:pl-0">
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** All reasons why nothing is paid out now, and the next steps that the seller can take. */
function Blocked({ blocks, waitsUntil }: { blocks: readonly PayoutBlock[]; waitsUntil: string | null }) {
  const now = useNow()
  if (blocks.includes('nothing_available'))
    return (
      <p className="text-ink-soft">
        There is nothing to pay out. What a completed transaction releases to you is available here at once.
      </p>
    )
  const [isUnverified, isUnconfirmed] = [blocks.includes('not_verified'), blocks.includes('email_not_confirmed')]
  return (
    <Notice
      tone={blocks.includes('negative_balance') || blocks.includes('account_restricted') ? 'trouble' : 'needs'}
      title="Nothing is paid out now"
      action={
        (isUnverified || isUnconfirmed) && (
          <>
            {isUnverified && (
              <ButtonLink to={paths.verification} kind="quiet">
                Identity Verification
              </ButtonLink>
            )}
            {isUnconfirmed && <SendConfirmation />}
          </>
        )
      }
    >
      {blocks.map(block => (
        <p key={block}>{PAYOUT_BLOCK_TEXTS[block]}</p>
      ))}
      {waitsUntil && (
        <p>
          Otherwise they wait until {formatDeadline(new Date(waitsUntil), now)}. Was it not you? Change your password at
          once.
        </p>
      )}
    </Notice>
  )
}

function PayOutNow({ overview: { available, currency, nextPayoutAt } }: { overview: PayoutsOverview }) {
  // A key of the page: asking again after a lost answer gives the same payout.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const now = useNow()
  const payOut = useCommand(routes.createPayout, {
    whether: 'the payout was made',
    done: payout => ['Payout scheduled', `${displayAmount(payout.amount, payout.currency)} goes to your bank.`],
    refused: error => ['This payout was not started', error.serverMessage],
    onDone: () => setKey(crypto.randomUUID()),
    refresh: () => refresh(routes.getPayouts, routes.listPayouts),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <Button busy={payOut.busy} onClick={() => void payOut.give({ headers: { 'idempotency-key': key } }, key)}>
        {payOut.busy ? 'Paying out...' : 'Pay Out Now'}
      </Button>
      <p className="text-ink-soft">
        All of {displayAmount(available, currency)} goes to your bank.
        {nextPayoutAt && ` Otherwise the next daily payout takes it: ${formatDeadline(new Date(nextPayoutAt), now)}.`}
      </p>
    </div>
  )
}

/** All payouts, page by page. They are loaded apart from the balance, which is shown before them. */
function PayoutList() {
  const list = usePages(routes.listPayouts, { query: { limit: PAYOUTS_OF_A_PAGE } })
  if (!list.items)
    return list.error ? (
      <LoadError title="Your list of payouts could not be loaded" error={list.error} retry={list.retry} />
    ) : null
  if (list.items.length === 0) return null
  return (
    <div className="grid gap-6">
      <div>
        <h3 className="border-b border-ink pb-2 font-semibold">Your payouts</h3>
        <ul className="divide-y divide-rule border-b border-rule">
          {list.items.map(payout => (
            <PayoutRow key={payout.id} payout={payout} />
          ))}
        </ul>
      </div>
      <ShowMore of={list} errorTitle="More payouts could not be loaded" />
    </div>
  )
}
