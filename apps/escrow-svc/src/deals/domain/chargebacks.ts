/**
 * What a chargeback does to a deal. The buyer's bank takes the payment back at once and decides weeks later who keeps it. Until
 * then the deal is stopped, because the money that it holds may be lost. A bank may decide a second time, and otherwise. Then the
 * money comes back to those who bore the loss, or is taken again.
 */
import type { Account } from '@holdfast/kernel/ledger'
import { formatAmount } from '@holdfast/kernel/money'
import {
  account,
  chargebackLost,
  chargebackOpened,
  chargebackReturned,
  chargebackWon,
  effectOn,
  type JournalEntry,
  type Parts,
} from '../../ledger/domain/journal.js'
import {
  buyerTotalMinor,
  type Change,
  type Chargeback,
  type ChargebackCommand,
  type Circumstances,
  type Deal,
} from './deal.js'
import {
  type Draft,
  disputedEvent,
  frozenOf,
  goesOn,
  resumed,
  stopped,
  versionAfter,
  whileBankDecides,
  withEffect,
  withSameStatus,
  withStatus,
} from './draft.js'

/** The change of a deal that holds the payment, after a message about a chargeback. */
export function recordChargeback(deal: Deal, command: ChargebackCommand, given: Circumstances): Draft {
  const draft = whileBankDecides(deal, draftFor(deal, command, given), command.type, given.now)
  return { ...draft, journal: entriesOf(deal, command), chargeback: stored(command) }
}

function draftFor(deal: Deal, command: ChargebackCommand, given: Circumstances): Draft {
  switch (command.type) {
    case 'openChargeback':
      return open(deal, command, given)
    case 'winChargeback':
      return win(deal, command, given)
    case 'loseChargeback':
      return lose(deal, command, given)
  }
}

/**
 * The change after a message about a chargeback when the deal does not hold the payment: the deal has ended, or it never took
 * the payment. The money is booked, and the status of the deal stays.
 */
export function bookChargeback(deal: Deal, command: ChargebackCommand): Change {
  const { type } = command
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: BOOKED_AS[type], status: deal.status }]),
    journal: entriesOf(deal, command),
    chargeback: stored(command),
    events: [
      type === 'openChargeback'
        ? openedEvent(deal, command, openChargebacks(deal))
        : closedEvent(deal, command, deal.status, openChargebacks(deal)),
    ],
  })
}

/**
 * The change after a message that moves no money, or that a chargeback in another currency than the payment is lost. What the bank kept
 * of that cannot be booked, so a deal that was stopped by it stays stopped until an operator has decided.
 */
export const keepMessage = (deal: Deal, command: ChargebackCommand): Change =>
  withEffect(deal, { ...withSameStatus(deal, []), chargeback: stored(command) })

const BOOKED_AS = {
  openChargeback: 'chargebackOpened',
  winChargeback: 'chargebackWon',
  loseChargeback: 'chargebackBooked',
} as const

function open(deal: Deal, command: ChargebackCommand, given: Circumstances): Draft {
  if (deal.status !== 'disputed') return stop(deal, command, given, [command.chargeback.id])
  const chargebacks = [...without(deal, command), command.chargeback.id]
  return {
    ...withSameStatus(deal, [{ kind: 'chargebackOpened', status: 'disputed' }]),
    frozen: { ...frozenOf(deal), chargebacks },
    events: [openedEvent(deal, command, chargebacks)],
  }
}

function win(deal: Deal, command: ChargebackCommand, given: Circumstances): Draft {
  const timeline = (status: Deal['status']) => [{ kind: 'chargebackWon', status }] as const
  if (deal.status !== 'disputed')
    return { ...withSameStatus(deal, timeline(deal.status)), events: [closedEvent(deal, command, deal.status)] }
  const { short, ...rest } = frozenOf(deal)
  const frozen = short && !isWholeAgain(deal, command) ? { ...rest, short } : rest
  const chargebacks = without(deal, command)
  // Something else still stops the deal: a party's dispute, another chargeback, or missing money.
  if (!goesOn({ ...frozen, chargebacks }))
    return {
      ...withSameStatus(deal, timeline('disputed')),
      frozen: { ...frozen, chargebacks },
      events: [closedEvent(deal, command, 'disputed', chargebacks)],
    }
  return {
    ...withStatus(deal, command.type, null, timeline(frozen.status)),
    ...resumed(deal, frozen, command.type, given),
    events: [closedEvent(deal, command, frozen.status)],
  }
}

function lose(deal: Deal, command: ChargebackCommand, given: Circumstances): Draft {
  if (command.chargeback.amountMinor >= deal.holdMinor)
    return {
      ...withStatus(deal, command.type, null, [{ kind: 'chargebackLost', status: 'cancelled' }]),
      events: [
        closedEvent(deal, command, 'cancelled'),
        { name: 'transactionCancelled', status: 'cancelled', facts: { wasFunded: true, cause: 'chargeback' } },
      ],
    }
  // The rest stays held. An operator or the seller decides about it, because it no longer pays what was agreed.
  const chargebacks = without(deal, command)
  const rest =
    deal.status === 'disputed'
      ? { ...withSameStatus(deal, []), frozen: { ...frozenOf(deal), chargebacks } }
      : stop(deal, command, given, [])
  return {
    ...rest,
    frozen: rest.frozen && { ...rest.frozen, short: true },
    timeline: [...rest.timeline, { kind: 'chargebackBooked', status: 'disputed' }],
    events: [...rest.events, closedEvent(deal, command, 'disputed', chargebacks)],
  }
}

function stop(deal: Deal, { type }: ChargebackCommand, given: Circumstances, chargebacks: readonly string[]): Draft {
  const { frozen, clockEntries } = stopped(deal, type, given.now)
  return {
    ...withStatus(deal, type, null, [{ kind: 'chargebackFreeze', status: 'disputed' }]),
    frozen: { ...frozen, disputeId: null, stoppedByProvider: true, chargebacks },
    clockEntries,
    events: [disputedEvent(deal, null, 'chargeback', chargebacks.length > 0)],
  }
}

/** The entries for the money that the bank took or returned, without those that an earlier message caused. */
function entriesOf(deal: Deal, command: ChargebackCommand): JournalEntry[] {
  const { type, chargeback, before } = command
  const { amountMinor, withdrawn } = chargeback
  if (before?.status === 'lost' && before.withdrawn) return [chargebackReturned(regainersOf(deal, command))]
  // After a decision for us the money is back, so a bank that decides again takes it once more.
  const isAtBank = !!before?.withdrawn && before.status !== 'won'
  const entries: JournalEntry[] = []
  if (withdrawn && !isAtBank) entries.push(chargebackOpened(amountMinor))
  if (type === 'winChargeback' && (withdrawn || isAtBank)) entries.push(chargebackWon(amountMinor))
  if (type === 'loseChargeback') entries.push(chargebackLost(bearersOf(deal, command)))
  return entries
}

/** Who bears a lost chargeback: first the hold, then what the seller and we got of this payment, then our own money. */
function bearersOf(deal: Deal, { chargeback }: ChargebackCommand): Parts {
  const take = takerOf(chargeback.amountMinor)
  if (isStray(deal, chargeback)) return [take(account.providerCosts, chargeback.amountMinor)]
  return [
    take(account.hold(deal.id), deal.holdMinor),
    take(account.sellerPayable(deal.sellerId), deal.releasedMinor),
    take(account.revenue, deal.revenueMinor),
    take(account.providerCosts, chargeback.amountMinor),
  ]
}

/**
 * Who gets a lost chargeback back: those who bore it, the last of `bearersOf` first. So several chargebacks of a deal leave the same
 * balances in any order. A deal that has ended holds nothing any more: what its hold bore is booked on our costs, until an operator has
 * decided whose it is. So is what operators have given the seller since the loss: it may have been for this loss, and they would have it twice.
 */
function regainersOf(deal: Deal, { chargeback, losses }: ChargebackCommand): Parts {
  const take = takerOf(chargeback.amountMinor)
  if (isStray(deal, chargeback)) return [take(account.providerCosts, chargeback.amountMinor)]
  const { sellerMinor, adjustedMinor } = losses
  const givenMinor = adjustedMinor < sellerMinor ? adjustedMinor : sellerMinor
  return [
    take(account.providerCosts, losses.costsMinor),
    take(account.revenue, losses.revenueMinor),
    take(account.sellerPayable(deal.sellerId), sellerMinor - givenMinor),
    take(deal.holdMinor > 0n ? account.hold(deal.id) : account.providerCosts, losses.holdMinor),
    take(account.providerCosts, givenMinor),
  ]
}

/** Divides an amount: each call takes for an account what is left, and at most what the account has. */
function takerOf(totalMinor: bigint) {
  let left = totalMinor
  return (from: Account, availableMinor: bigint) => {
    const amountMinor = left < availableMinor ? left : availableMinor
    left -= amountMinor
    return { from, amountMinor }
  }
}

/** Whether the deal never had the money of the payment that is charged back. */
const isStray = (deal: Deal, { paymentId }: Chargeback) => paymentId !== deal.settledPaymentId

/** Whether the deal holds all of the payment again, because a lost chargeback has come back. */
const isWholeAgain = (deal: Deal, command: ChargebackCommand): boolean =>
  command.before?.status === 'lost' &&
  deal.holdMinor + effectOn(account.hold(deal.id), entriesOf(deal, command)) === buyerTotalMinor(deal)

/** The chargeback as it is stored. Money that was withdrawn once stays marked as withdrawn, whatever a later message says. */
const stored = ({ chargeback, before }: ChargebackCommand) => ({
  ...chargeback,
  withdrawn: chargeback.withdrawn || (before?.withdrawn ?? false),
})

const openChargebacks = ({ frozen }: Deal) => frozen?.chargebacks ?? []
const without = (deal: Deal, { chargeback }: ChargebackCommand) =>
  openChargebacks(deal).filter(id => id !== chargeback.id)

/** What the bank asked for, as events carry it. */
const amountOf = (deal: Deal, { chargeback }: ChargebackCommand) => {
  const isOtherCurrency = chargeback.currency !== deal.currency
  const amountMinor = isOtherCurrency ? buyerTotalMinor(deal) : chargeback.amountMinor
  return { chargeback: formatAmount(amountMinor, deal.currency), isOtherCurrency }
}
/** What events about a chargeback carry. `undecided` are the chargebacks for which the deal waits after the change. */
const factsOf = (deal: Deal, command: ChargebackCommand, undecided: readonly string[]) => ({
  ...amountOf(deal, command),
  waitsForBank: undecided.length > 0,
  version: versionAfter(deal),
})
const openedEvent = (deal: Deal, command: ChargebackCommand, undecided: readonly string[]) =>
  ({
    name: 'transactionChargebackOpened',
    status: deal.status,
    facts: factsOf(deal, command, undecided),
  }) as const
const closedEvent = (
  deal: Deal,
  command: ChargebackCommand,
  status: Deal['status'],
  undecided: readonly string[] = [],
) =>
  ({
    name: 'transactionChargebackClosed',
    status,
    facts: { ...factsOf(deal, command, undecided), outcome: command.type === 'winChargeback' ? 'won' : 'lost' },
  }) as const
