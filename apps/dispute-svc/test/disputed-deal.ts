import type { DisputeClock, RulingOutcome } from '@holdfast/kernel/disputes'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { chargeback, refundMadeByHand } from '@holdfast/testing/stripe-events'
import { aMediator, CaseDriver } from './case-driver.js'
import type { ShippedDeal, TwoServices } from './two-services.js'

type Who = 'buyer' | 'seller'

/** Something that a party, the provider, the carrier, the line or a timer does about one deal. */
export type Move =
  | { readonly move: 'file' | 'withdraw'; readonly who: Who; readonly key: string | null }
  | { readonly move: 'repeatCalls' | 'deliverLate' | 'redeliverEvents' }
  | { readonly move: 'bank'; readonly step: 'created' | 'won' | 'lost' }
  | { readonly move: 'refundByHand'; readonly part: boolean; readonly fails: boolean }
  | { readonly move: 'confirmDelivery' | 'accept' | 'refund' | 'carrierDelivers' }
  | CaseMove

/** Something that a party, a mediator or a time limit does in the dispute that is open. */
export type CaseMove =
  | { readonly move: 'propose'; readonly who: Who; readonly amount: '0' | '30' | '100' }
  | { readonly move: 'addEvidence' | 'acceptProposal' | 'decline' | 'waive' | 'appeal'; readonly who: Who }
  | { readonly move: 'rule'; readonly mediator: 0 | 1; readonly outcome: RulingOutcome }
  | { readonly move: 'return'; readonly step: 'ship' | 'confirm' | 'contest' }
  | { readonly move: 'endClock'; readonly kind: DisputeClock }

/** A deal of both services, and what its parties were answered about its disputes. */
export class DisputedDeal {
  /** The disputes that a party filed with success. */
  private readonly filed = new Set<number>()
  /** The disputes that a party has withdrawn with success, and those of which the party does not know it. */
  private readonly withdrawn = new Set<number>()
  private readonly maybeWithdrawn = new Set<number>()
  /** The disputes of which a party or a mediator was answered that their step has closed them. */
  private readonly settled = new Set<number>()
  private readonly mediators = [aMediator(), aMediator()] as const
  /** Answers that no request may get. */
  private readonly unexpected: string[] = []

  private constructor(
    private readonly services: TwoServices,
    readonly deal: ShippedDeal,
  ) {}

  /** A shipped deal, and the moves that bring its dispute to some stage. */
  static async open(services: TwoServices, { moves }: Beginning): Promise<DisputedDeal> {
    const deal = new DisputedDeal(services, await services.shipped())
    for (const move of moves) await deal.make([move])
    return deal
  }

  /** Makes moves at the same time. */
  async make(moves: readonly Move[]): Promise<void> {
    await Promise.all(moves.map(move => this.makeOne(move)))
  }

  /** The bank decides, and the refund of a part fails: then nothing but a party's dispute stops a deal that goes on. */
  async endProviderDisputes(): Promise<void> {
    const { intent, totalMinor } = this.deal
    await this.services.providerReports(chargeback(intent, totalMinor, 'won'))
    await this.services.providerReports(partRefunded(intent, partOf(totalMinor), 'failed'))
  }

  /** Makes every call that is due, on two replicas at the same time. */
  async repeatCalls(): Promise<void> {
    const due = await this.services.unsettledOf(this.deal)
    // A call that escrow refuses rejects, as it does for the timers.
    await Promise.allSettled(due.flatMap(id => [this.services.repeatCall(id), this.services.repeatCall(id)]))
  }

  /** What is wrong with the answers, now that every message has arrived: nothing, unless there is a fault. */
  async falseAnswers(): Promise<string[]> {
    const { status } = await this.services.dealOf(this.deal)
    const known = new Map((await this.services.disputesOf(this.deal.buyer)).map(each => [each.id, each.status]))
    const found = [...this.unexpected]
    for (const id of this.filed) if (!known.has(id)) found.push(`dispute ${id} was filed and does not exist`)
    for (const id of this.withdrawn)
      if (known.get(id) !== 'closed') found.push(`dispute ${id} was withdrawn and is ${known.get(id)}`)
    const hasEnded = status === 'cancelled' || status === 'completed'
    for (const id of this.filed)
      if (!hasEnded && !this.maybeWithdrawn.has(id) && known.get(id) === 'closed')
        found.push(`dispute ${id} was filed, was not withdrawn, and is closed`)
    const settlements = await this.services.settlementsOf(this.deal)
    if (settlements > 1) found.push(`it was settled ${settlements} times`)
    for (const id of this.settled)
      if (settlements === 0 || known.get(id) !== 'closed')
        found.push(`dispute ${id} was settled and is ${known.get(id)}`)
    return found.map(fault => `deal ${this.deal.id}: ${fault}`)
  }

  private async makeOne(move: Move): Promise<void> {
    const { services, deal } = this
    const { intent, totalMinor } = deal
    switch (move.move) {
      case 'file':
        return this.file(deal[move.who], move.key)
      case 'withdraw':
        return this.withdraw(deal[move.who], move.key)
      case 'repeatCalls':
        return this.repeatCalls()
      case 'deliverLate':
        return services.line.deliverLate(1)
      case 'redeliverEvents':
        return services.redeliverEvents()
      case 'bank':
        return services.providerReports(chargeback(intent, totalMinor, move.step))
      case 'refundByHand': {
        const amountMinor = move.part ? partOf(totalMinor) : totalMinor
        return services.providerReports(partRefunded(intent, amountMinor, move.fails ? 'failed' : 'succeeded'))
      }
      case 'carrierDelivers':
        return services.carrierDelivers(deal)
      case 'confirmDelivery':
        return services.try(deal, deal.buyer, 'confirm-delivery')
      case 'accept':
        return services.try(deal, deal.buyer, 'accept')
      case 'refund':
        return services.try(deal, deal.seller, 'refund')
      default:
        return this.makeInCase(move)
    }
  }

  /** Makes a move in the latest dispute that is not closed, if there is one. */
  private async makeInCase(move: CaseMove): Promise<void> {
    const { services, deal } = this
    const [open] = (await services.disputesOf(deal.buyer)).filter(({ status }) => status !== 'closed')
    if (!open) return
    const dispute = CaseDriver.of(services, deal, open.id)
    if (move.move === 'endClock') return dispute.endClockIfItRuns(move.kind)
    const { status, closed } = await answerTo(dispute, move, this.mediators)
    if (closed && status < 300) this.settled.add(open.id)
    // A step is refused because of the amount, the role, the state or the deal; or its outcome is unknown.
    if (status >= 300 && ![400, 403, 404, 409, 503].includes(status))
      this.unexpected.push(`${move.move} was answered with ${status}`)
  }

  private async file(who: UserActor, key: string | null): Promise<void> {
    const { status, body } = await this.services.file(this.deal, who, key ?? undefined)
    if (status === 201) this.filed.add(body.id)
    else this.expect('a filing', status)
  }

  private async withdraw(who: UserActor, key: string | null): Promise<void> {
    const [dispute] = (await this.services.disputesOf(who)).filter(({ reporterId }) => reporterId === who.id)
    if (!dispute) return
    // A key belongs to one dispute.
    const keyOfDispute = key === null ? undefined : `${key}-${dispute.id}`
    this.maybeWithdrawn.add(dispute.id)
    const { status } = await this.services.withdraw(dispute.id, who, keyOfDispute)
    if (status === 200) this.withdrawn.add(dispute.id)
    else this.expect('a withdrawal', status)
  }

  /** A request is refused for the deal's state, or its outcome is unknown. */
  private expect(request: string, status: number): void {
    if (status !== 409 && status !== 503) this.unexpected.push(`${request} was answered with ${status}`)
  }
}

/** Gives a command of a party or a mediator. */
async function answerTo(
  dispute: CaseDriver,
  move: Exclude<CaseMove, { move: 'endClock' }>,
  mediators: readonly [UserActor, UserActor],
): Promise<{ status: number; closed: boolean }> {
  const { buyer, seller, deal } = dispute
  const of = ({ status, body }: { status: number; body: { status?: string } }) => ({
    status,
    closed: body.status === 'closed',
  })
  switch (move.move) {
    case 'propose':
      return of(await dispute.propose(deal[move.who], move.amount))
    case 'addEvidence':
      return { status: (await dispute.addEvidence(deal[move.who])).status, closed: false }
    case 'decline':
      return of(await dispute.decline(deal[move.who], (await dispute.openProposal())?.id ?? newId()))
    case 'acceptProposal':
      // It may be replaced before the acceptance arrives, and it may be their own.
      return of(await dispute.accept(deal[move.who], (await dispute.openProposal()) ?? NO_PROPOSAL))
    case 'waive':
      return of(await dispute.command('waive', deal[move.who]))
    case 'appeal':
      return of(await dispute.command('appeal', deal[move.who], { reason: 'No.' }))
    case 'rule': {
      const amount = move.outcome === 'partial_refund' ? { refundAmount: '30' } : {}
      return of(await dispute.rule(mediators[move.mediator], { outcome: move.outcome, ...amount }))
    }
    case 'return':
      if (move.step === 'ship') return of(await dispute.command('return', buyer, { trackingNumber: `BACK ${deal.id}` }))
      if (move.step === 'confirm') return of(await dispute.command('return/confirm', seller))
      return of(await dispute.command('return/contest', seller, { reason: 'It is empty.' }))
  }
}

const NO_PROPOSAL = { id: newId(), refundAmount: '30.00' }
const FILED = { move: 'file', who: 'buyer', key: null } as const
const ANSWERED = [FILED, { move: 'addEvidence', who: 'seller' }] as const

/** The moves before the random ones, which bring a dispute to some stage. */
export interface Beginning {
  readonly moves: readonly Move[]
  /** A move that would end the dispute with money. It comes at the same moment as the first random moves. */
  readonly settles?: Move
}

const PROPOSED = [FILED, { move: 'propose', who: 'seller', amount: '30' }] as const
const RULED = [...ANSWERED, { move: 'rule', mediator: 0, outcome: 'partial_refund' }] as const

export const BEGINNINGS: readonly Beginning[] = [
  { moves: [] },
  { moves: [FILED] },
  { moves: PROPOSED },
  { moves: PROPOSED, settles: { move: 'propose', who: 'buyer', amount: '30' } },
  { moves: ANSWERED },
  { moves: RULED, settles: { move: 'endClock', kind: 'appeal' } },
  {
    moves: [
      ...ANSWERED,
      { move: 'rule', mediator: 0, outcome: 'return_exchange' },
      { move: 'endClock', kind: 'appeal' },
      { move: 'return', step: 'ship' },
    ],
    settles: { move: 'return', step: 'confirm' },
  },
]

const partOf = (totalMinor: number) => Math.floor(totalMinor / 3)

/** The event about a refund that an operator made by hand. A payment has one of each amount. */
const partRefunded = (intent: string, amount: number, status: 'succeeded' | 'failed') =>
  refundMadeByHand(status === 'failed' ? 'refund.failed' : 'refund.created', {
    id: `re_${intent}_${amount}`,
    intent,
    amount,
    status,
  })
