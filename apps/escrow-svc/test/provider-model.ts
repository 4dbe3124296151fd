import type { ModelDeal } from './deal-state.js'

/** What a message of the provider says about a refund or a chargeback of the deal's payment. Amounts are minor units. */
export type ProviderMessage =
  | {
      readonly about: 'refund'
      readonly id: string
      readonly status: 'sent' | 'confirmed' | 'failed'
      readonly amount: number
      /** True for a refund of ours. The deal has ended when we make one. */
      readonly ours: boolean
    }
  | {
      readonly about: 'chargeback'
      readonly id: string
      readonly status: 'inquiry' | 'open' | 'won' | 'lost'
      readonly amount: number
    }

/** A message changes nothing when it has the rank of the last one about the same refund or chargeback, or a lower one. */
const RANK: Readonly<Record<ProviderMessage['status'], number>> = {
  sent: 1,
  confirmed: 2,
  failed: 3,
  inquiry: 1,
  open: 2,
  won: 3,
  lost: 3,
}

/** The deal after a message about a payment that the escrow has booked. */
export function afterMessage(deal: ModelDeal, message: ProviderMessage): ModelDeal {
  const { id, status } = message
  const before = deal.messages[id]
  // On a deal that holds nothing, messages change only the ledger. The test compares the ledger with the provider.
  if (deal.hold === 0 || (before && RANK[status] <= RANK[before])) return deal
  const known = { ...deal, messages: { ...deal.messages, [id]: status } }
  return message.about === 'refund' ? afterRefund(known, message, before) : afterChargeback(known, message)
}

function afterRefund(
  deal: ModelDeal,
  { status, amount }: ProviderMessage,
  before: ProviderMessage['status'] | undefined,
): ModelDeal {
  if (status !== 'failed') return before ? deal : withoutMoney(deal, amount, {})
  if (!before || !deal.frozen) return deal
  const hold = deal.hold + amount
  return goingOn({ ...deal, hold }, { short: hold < deal.total })
}

function afterChargeback(deal: ModelDeal, { id, status, amount }: ProviderMessage): ModelDeal {
  const others = (deal.frozen?.chargebacks ?? []).filter(each => each !== id)
  switch (status) {
    case 'won':
      return deal.frozen ? goingOn(deal, { chargebacks: others }) : deal
    case 'lost':
      return withoutMoney(deal, amount, { chargebacks: others })
    default:
      return stopped(deal, { chargebacks: [...others, id].sort() })
  }
}

type Frozen = NonNullable<ModelDeal['frozen']>

/** Money has left the hold. The deal ends when nothing is left; otherwise it is stopped with the rest. */
function withoutMoney(deal: ModelDeal, amount: number, change: Partial<Frozen>): ModelDeal {
  if (amount >= deal.hold) return { ...deal, status: 'cancelled', hold: 0, frozen: null }
  return stopped({ ...deal, hold: deal.hold - amount }, { ...change, short: true })
}

function stopped(deal: ModelDeal, change: Partial<Frozen>): ModelDeal {
  const frozen = deal.frozen ?? { from: deal.status, by: 'provider', chargebacks: [], short: false }
  return { ...deal, status: 'disputed', frozen: { ...frozen, ...change } }
}

/** A deal that only the provider stopped goes on when no chargeback is open and no money is missing. */
function goingOn(deal: ModelDeal, change: Partial<Frozen>): ModelDeal {
  const frozen = deal.frozen && { ...deal.frozen, ...change }
  if (frozen?.by !== 'provider' || frozen.short || frozen.chargebacks.length > 0) return { ...deal, frozen }
  return { ...deal, status: frozen.from, frozen: null }
}
