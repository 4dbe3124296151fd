import type { Transaction } from '@holdfast/contracts/transactions'
import { Link } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { Money } from '../../components/money.js'
import { Picture } from '../../components/picture.js'
import { Skeleton } from '../../components/skeleton.js'
import { paths } from '../../lib/paths.js'
import { otherParty, titleOf } from '../deal/shared/deal.js'
import { DealBadge } from '../deal/shared/deal-badge.js'
import { ownAmount } from '../deal/shared/money.js'
import { MoneyLine } from '../deal/shared/money-line/money-line.js'
import type { Turn as DisputeTurn } from '../disputes/shared/turn.view.js'

// The last column is as wide as its three buttons in every row, so that the lines stand under each other.
const ROW = 'grid gap-x-8 gap-y-4 py-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_15rem] lg:items-center'

/** The square of 4rem shows the middle of a picture whose height fits, and which is then 6rem wide. */
const THUMBNAIL_SIZES = '6rem'

interface DealRowProps {
  deal: Transaction
  /** Whose turn it is in the dispute that stops the deal. */
  turn: DisputeTurn | undefined
}

/** A deal among others: what it is, the viewer's own amount, where the money is, whose turn it is, and the links to it. */
export function DealRow({ deal, turn }: DealRowProps) {
  const { id, listing, status, actions, paymentProcessing, currency } = deal
  const title = titleOf(deal)
  const { role, user } = otherParty(deal)
  const own = ownAmount(deal)
  return (
    <li className={ROW}>
      <div className="flex min-w-0 gap-4">
        <Picture
          src={listing.images[0]}
          alt=""
          sizes={THUMBNAIL_SIZES}
          className="size-16 shrink-0 rounded-md border border-rule"
        />
        <div className="min-w-0">
          <h3 className="line-clamp-2 font-semibold">
            <Link to={paths.transaction(id)} className="decoration-edge underline-offset-4 hover:underline">
              {title}
            </Link>
          </h3>
          <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-ink-soft">
            <DealBadge status={status} />
            <span className="truncate">
              {role === 'seller' ? 'from' : 'to'} {user.firstName} {user.lastName}
            </span>
          </p>
          <p className="mt-1 text-sm text-ink-soft">
            {own.label} <Money amount={own.amount} currency={currency} className="font-semibold text-ink" />
          </p>
        </div>
      </div>
      <MoneyLine deal={deal} size="compact" turn={turn && { waitsFor: turn.waitsFor, turn: turn.words }} />
      <div className="flex flex-wrap gap-2 lg:flex-nowrap lg:justify-end">
        {actions.includes('pay') && !paymentProcessing && (
          <ButtonLink to={paths.checkout(id)} size="sm" aria-label={`Send Funds for ${title}`}>
            Send Funds
          </ButtonLink>
        )}
        <ButtonLink to={paths.transactionMessages(id)} kind="quiet" size="sm" aria-label={`Chat about ${title}`}>
          Chat
        </ButtonLink>
        <ButtonLink to={paths.transaction(id)} kind="quiet" size="sm" aria-label={`View ${title}`}>
          View
        </ButtonLink>
      </div>
    </li>
  )
}

export function DealRowSkeleton() {
  return (
    <div className={ROW}>
      <div className="flex gap-4">
        <Skeleton className="size-16 shrink-0" />
        <div className="grow pt-1">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="mt-3 h-4 w-1/2" />
        </div>
      </div>
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-9 w-32 lg:justify-self-end" />
    </div>
  )
}

interface DealRowsProps {
  deals: readonly Transaction[]
  /** Whose turn it is in the disputes that stop some of them, by the deal’s id. */
  turns?: ReadonlyMap<number, DisputeTurn>
}

/** Rows of deals under a heading of their own. */
export function DealRows({ deals, turns }: DealRowsProps) {
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {deals.map(deal => (
        <DealRow key={deal.id} deal={deal} turn={turns?.get(deal.id)} />
      ))}
    </ul>
  )
}
