import type { UserActor } from '@holdfast/service-kit/auth/actor'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { type CommandAnswer, person } from './deal-driver.js'
import { type Answer, type Deal, type Move, newDeal, type PaymentState, type Who } from './deal-model.js'
import { endsOf, type Seen } from './one-after-another.js'
import type { RunningEscrow } from './running-escrow.js'
import { declined, succeeded } from './stripe-events.js'

/** Longer than any clock of a deal. */
const LONG_DAYS = 60
/** How often a deadline that others keep in motion is rung. */
const MAX_RINGS = 10

/** A deal in the real escrow, with what a model says of it. */
export class DealInWorld {
  /** Where the deal may be, by the model: more than one while answers cannot tell. */
  private model: readonly Deal[]
  private readonly people: Readonly<Record<Who, UserActor>>
  private intents: readonly string[] = []

  private constructor(
    private readonly escrow: RunningEscrow,
    readonly id: number,
    readonly totalMinor: number,
    buyer: UserActor,
    seller: UserActor,
    asIs: boolean,
  ) {
    this.people = { buyer, seller, stranger: person() }
    this.model = [newDeal(asIs)]
  }

  static async open(escrow: RunningEscrow, asIs: boolean, price: string): Promise<DealInWorld> {
    const { id, totalMinor, buyer, seller } = await escrow.open({ inspectionDays: asIs ? 0 : 3, price })
    return new DealInWorld(escrow, id, totalMinor, buyer, seller, asIs)
  }

  /**
   * Makes moves at the same time.
   *
   * @throws Error when what was answered, and what the escrow holds afterwards, fits no order of them
   */
  async make(moves: readonly Move[]): Promise<void> {
    const seen = await Promise.all(moves.map(async move => ({ move, answer: await this.makeOne(move) })))
    const now = await this.look()
    const ends = this.model.flatMap(start => endsOf(start, seen))
    this.model = unique(ends.filter(end => end.status === now.status && end.payment === now.payment))
    if (this.model.length === 0) throw new Error(this.complaint(seen, ends, now))
  }

  /** Tells the escrow whatever the provider has not told it yet, so that the books can be compared with the provider's. */
  async hearEverything(): Promise<void> {
    for (const intent of this.intents)
      if (this.escrow.surroundings.intentStatus(intent) === 'succeeded')
        await this.escrow.webhook(succeeded(intent, this.totalMinor))
  }

  /** What the provider has of this deal: charged less given back, in minor units. */
  get atProvider(): number {
    const { intents, charges } = this.escrow.sandbox.context.state
    let sum = 0
    for (const id of this.intents) {
      const charge = charges.get(intents.get(id)?.chargeId ?? '')
      if (charge?.status === 'succeeded') sum += charge.amount - charge.amountRefunded
    }
    return sum
  }

  private async makeOne(move: Move): Promise<Answer> {
    const { escrow, id, people } = this
    switch (move.move) {
      case 'pay':
        return String((await escrow.pay(id, people[move.who], move.key)).status)
      case 'cancel':
        return told(await escrow.cancel(id, people[move.who], move.key))
      case 'accept':
        return told(await escrow.act(id, people[move.who], 'accept', undefined, move.key))
      case 'confirm':
        return told(await escrow.act(id, people[move.who], 'confirm-delivery', undefined, move.key))
      case 'track':
        return told(await escrow.act(id, people[move.who], 'tracking', { trackingNumber: this.parcel }, move.key))
      case 'refund':
        return told(await escrow.act(id, people[move.who], 'refund', undefined, move.key))
      case 'handover': {
        const request = { actor: people[move.who], body: { status: 'in_progress' } }
        return told(await escrow.request<CommandAnswer>('PATCH', `/api/transactions/${id}`, request))
      }
      case 'freeze':
        return told(await escrow.dispute(id, 'freeze', move.dispute, people[move.who].id))
      case 'resume':
        return told(await escrow.dispute(id, 'resume', move.dispute))
      case 'deliver':
        return String((await escrow.carrierDelivers(this.parcel)).status)
      case 'ring':
        await escrow.pass(id)
        return 'rang'
      case 'passTime':
        return this.passTime()
      case 'card':
      case 'tellSucceeded':
      case 'tellDeclined':
        return this.atTheProvider(move)
    }
  }

  private async atTheProvider(move: Extract<Move, { good: boolean }> | { move: 'tellSucceeded' | 'tellDeclined' }) {
    const { escrow, totalMinor } = this
    const intent = this.intents.at(-1)
    if (!intent) return move.move === 'card' ? 'no intent' : 'nothing to tell'
    if (move.move === 'card') {
      const card = move.good ? 'pm_card_visa' : 'pm_card_visa_chargeDeclined'
      return String((await escrow.surroundings.confirmCard(intent, card)).http)
    }
    if (move.move === 'tellDeclined') return String((await escrow.webhook(declined(intent))).status)
    if (escrow.surroundings.intentStatus(intent) !== 'succeeded') return 'nothing to tell'
    // The same event twice at once, and the same news as another event.
    const event = succeeded(intent, totalMinor)
    const all = await Promise.all([event, event, succeeded(intent, totalMinor)].map(each => escrow.webhook(each)))
    return [...new Set(all.map(({ status }) => String(status)))].join(' ')
  }

  /** The deadline passes, and rings until it has had its effect. */
  private async passTime(): Promise<Answer> {
    const { escrow, id } = this
    await escrow.elapse(id, LONG_DAYS)
    for (let ring = 0; ring < MAX_RINGS; ring++) {
      await Promise.all([escrow.pass(id), escrow.pass(id)])
      const { due } = await escrow.row<{ due: boolean }>(
        'SELECT coalesce(due_at <= now(), false) AS due FROM escrow.transaction WHERE id = $1',
        [id],
      )
      if (!due) return 'passed'
    }
    return 'never passed'
  }

  /** What is really so: the deal's row, and where the latest payment is. */
  private async look(): Promise<{ status: string; payment: PaymentState }> {
    const { status, intents } = await this.escrow.row<{ status: string; intents: { id: string; status: string }[] }>(
      `SELECT t.status, coalesce((SELECT json_agg(json_build_object('id', p.intent_id, 'status', p.status) ORDER BY p.id)
         FROM escrow.payment p WHERE p.transaction_id = t.id AND p.intent_id IS NOT NULL), '[]') AS intents
       FROM escrow.transaction t WHERE t.id = $1`,
      [this.id],
    )
    this.intents = intents.map(intent => intent.id)
    const latest = intents.at(-1)
    if (!latest) return { status, payment: 'none' }
    if (latest.status === 'succeeded') return { status, payment: 'booked' }
    const truth = this.escrow.surroundings.intentStatus(latest.id)
    return { status, payment: truth === 'succeeded' ? 'confirmed' : truth === 'canceled' ? 'closed' : 'open' }
  }

  private complaint(seen: readonly Seen[], ends: readonly Deal[], now: object): string {
    const lines = seen.map(({ move, answer }) => `  ${JSON.stringify(move)} → ${answer}`)
    return [
      `deal ${this.id}: no order of these explains what was answered and what is there now`,
      `before: ${JSON.stringify(this.model)}`,
      ...lines,
      `after: ${JSON.stringify(now)}`,
      `by the model: ${JSON.stringify(ends)}`,
    ].join('\n')
  }

  private get parcel(): string {
    return `T${this.id}`
  }
}

const told = ({ status, body }: SignedAnswer<CommandAnswer>): Answer =>
  status === 200 ? `200 ${body.status}` : String(status)

const unique = (deals: readonly Deal[]): Deal[] => [
  ...new Map(deals.map(deal => [JSON.stringify(deal), deal])).values(),
]
