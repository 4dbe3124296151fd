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
      /** When it happened, in the provider's seconds. */
      readonly at: number
    }

/** What the last message about a refund or a chargeback has said that changed something, and when a chargeback had that status last. */
export interface LastMessage {
  readonly status: ProviderMessage['status']
  readonly at: number
}

/** The order of the statuses of a refund, and of a chargeback until a bank has decided. */
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
  if (deal.hold === 0) return deal
  const at = message.about === 'chargeback' ? message.at : 0
  const known = { ...deal, messages: { ...deal.messages, [id]: { status, at } } }
  if (before?.status === status && at > before.at) return known
  if (before && !isNews({ status, at }, before)) return deal
  return message.about === 'refund'
    ? afterRefund(known, message, before?.status)
    : afterChargeback(known, message, before?.status)
}

/** A bank may decide again, and otherwise: the later decision counts. Everything else has an order. */
function isNews({ status, at }: LastMessage, before: LastMessage): boolean {
  const decisions = ['won', 'lost']
  if (!decisions.includes(before.status)) return RANK[status] > RANK[before.status] && at >= before.at
  return at > before.at && (before.status === 'won' ? status === 'lost' || status === 'open' : status === 'won')
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

function afterChargeback(
  deal: ModelDeal,
  { id, status, amount }: ProviderMessage,
  before: ProviderMessage['status'] | undefined,
): ModelDeal {
  const others = (deal.frozen?.chargebacks ?? []).filter(each => each !== id)
  switch (status) {
    case 'won': {
      if (before !== 'lost') return deal.frozen ? goingOn(deal, { chargebacks: others }) : deal
      const hold = deal.hold + amount
      return goingOn({ ...deal, hold }, { chargebacks: others, short: hold < deal.total })
    }
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
