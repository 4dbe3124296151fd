import { routes } from 'virtual:routes'
import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { lazy, Suspense, useState } from 'react'
import { AlertDialog } from '../../components/alert-dialog.js'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { QueryState } from '../../components/query-state.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { refresh, useCall } from '../../lib/use-call.js'
import { useCommand } from '../../lib/use-command.js'
import { cardExpiry, cardName } from '../payment/shared/card-words.js'

const AddCard = lazy(() => import('./add-card.js'))

const refreshCards = () => refresh(routes.listPaymentMethods, routes.getSubscription)

/** The cards that the user has saved, and the way to save another one. */
export function SavedCards() {
  const query = useCall(routes.listPaymentMethods, {})
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button kind="quiet" onClick={() => setAdding(true)}>
      Add Payment Method
    </Button>
  )
  return (
    <QueryState
      query={query}
      errorTitle="Your payment methods could not be loaded"
      loading={
        <Loading label="Loading your payment methods">
          <Skeleton className="h-20 w-full" />
        </Loading>
      }
    >
      {cards => (
        <div className="grid gap-5">
          {cards.length > 0 && (
            <ul className="divide-y divide-rule border-y border-rule">
              {cards.map(card => (
                <Card key={card.id} card={card} />
              ))}
            </ul>
          )}
          {isAdding ? (
            <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
              <AddCard
                onClose={() => setAdding(false)}
                onSaved={() => {
                  setAdding(false)
                  void refreshCards()
                }}
              />
            </Suspense>
          ) : cards.length === 0 ? (
            <EmptyState title="No payment methods" level={3} action={add}>
              Save a card to pay without typing it again.
            </EmptyState>
          ) : (
            <div>{add}</div>
          )}
        </div>
      )}
    </QueryState>
  )
}

function Card({ card }: { card: SavedCard }) {
  const [isAsked, setAsked] = useState(false)
  const params = { params: { cardId: card.id } }
  const choose = useCommand(routes.makeDefaultPaymentMethod, {
    whether: 'this is the default card',
    done: () => ['Default card changed', `${cardName(card)} is offered first, and pays for Premium if you have it.`],
    refused: error => ['The default card was not changed', error.serverMessage],
    refresh: refreshCards,
  })
  const remove = useCommand(routes.removePaymentMethod, {
    whether: 'the card was removed',
    done: () => ['Card removed', `${cardName(card)} can pay nothing here any more.`],
    refused: error => ['The card was not removed', error.serverMessage],
    onDone: () => setAsked(false),
    refresh: refreshCards,
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="figures font-semibold">{cardName(card)}</span>
        <span className="figures text-ink-soft">until {cardExpiry(card)}</span>
        {card.isDefault && <Badge>Default</Badge>}
      </p>
      <div className="flex flex-wrap gap-2">
        {!card.isDefault && (
          <Button
            kind="quiet"
            busy={choose.busy}
            aria-label={`Make ${cardName(card)} the default`}
            onClick={() => void choose.give(params)}
          >
            Make Default
          </Button>
        )}
        <Button kind="quiet" aria-label={`Remove ${cardName(card)}`} onClick={() => setAsked(true)}>
          Remove
        </Button>
      </div>
      <AlertDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Remove ${cardName(card)}?`}
        description="What it has paid stays paid. If it pays for Premium, choose another card as the default before the next payment."
        confirm="Remove Card"
        busyWords="Removing..."
        busy={remove.busy}
        onConfirm={() => void remove.give(params)}
      />
    </li>
  )
}
