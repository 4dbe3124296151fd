import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { chargeback, refundMadeByHand } from '@holdfast/testing/stripe-events'
import type { ShippedDeal, TwoServices } from './two-services.js'

type Who = 'buyer' | 'seller'

/** Something that a party, the provider, the carrier, the line or a timer does about one deal. */
export type Move =
  | { readonly move: 'file' | 'withdraw'; readonly who: Who; readonly key: string | null }
  | { readonly move: 'repeatCalls' | 'deliverLate' | 'redeliverEvents' }
  | { readonly move: 'bank'; readonly step: 'created' | 'won' | 'lost' }
  | { readonly move: 'refundByHand'; readonly part: boolean; readonly fails: boolean }
  | { readonly move: 'confirmDelivery' | 'accept' | 'refund' | 'carrierDelivers' }

/** A deal of both services, and what its parties were answered about its disputes. */
export class DisputedDeal {
  /** The disputes that a party filed with success. */
  private readonly filed = new Set<number>()
  /** The disputes that a party has withdrawn with success, and those of which the party does not know it. */
  private readonly withdrawn = new Set<number>()
  private readonly maybeWithdrawn = new Set<number>()
  /** Answers that no request may get. */
  private readonly unexpected: string[] = []

  private constructor(
    private readonly services: TwoServices,
    readonly deal: ShippedDeal,
  ) {}

  static async open(services: TwoServices): Promise<DisputedDeal> {
    return new DisputedDeal(services, await services.shipped())
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
    for (const id of this.filed)
      if (status !== 'cancelled' && !this.maybeWithdrawn.has(id) && known.get(id) !== 'open')
        found.push(`dispute ${id} was filed, was not withdrawn, and is ${known.get(id)}`)
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
    }
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

const partOf = (totalMinor: number) => Math.floor(totalMinor / 3)

/** The event about a refund that an operator made by hand. A payment has one of each amount. */
const partRefunded = (intent: string, amount: number, status: 'succeeded' | 'failed') =>
  refundMadeByHand(status === 'failed' ? 'refund.failed' : 'refund.created', {
    id: `re_${intent}_${amount}`,
    intent,
    amount,
    status,
  })
