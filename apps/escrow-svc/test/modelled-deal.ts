import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type SignedAnswer, userActor } from '@holdfast/testing/signed-client'
import type { CommandAnswer } from './deal-driver.js'
import { type Answer, type ModelDeal, type Move, newDeal, type PaymentState, type Who } from './deal-model.js'
import { type AnsweredMove, possibleEnds } from './linearizability.js'
import type { RunningEscrow } from './running-escrow.js'
import { declined, succeeded } from './stripe-events.js'

/** Longer than any clock of a deal. */
const LONG_DAYS = 60
/** How often the timers of a due deal are fired. Another move at the same time may make one attempt fail. */
const MAX_FIRINGS = 10

/** A deal in a running escrow, together with its states in the model. Every move is made in both and compared. */
export class ModelledDeal {
  /** The possible states in the model: more than one while the answers fit several. */
  private states: readonly ModelDeal[]
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
    this.people = { buyer, seller, stranger: userActor() }
    this.states = [newDeal(asIs)]
  }

  static async open(escrow: RunningEscrow, asIs: boolean, price: string): Promise<ModelledDeal> {
    const { id, totalMinor, buyer, seller } = await escrow.open({ inspectionDays: asIs ? 0 : 3, price })
    return new ModelledDeal(escrow, id, totalMinor, buyer, seller, asIs)
  }

  /**
   * Makes moves at the same time.
   *
   * @throws Error when no order of the moves explains their answers and the escrow's state afterwards
   */
  async make(moves: readonly Move[]): Promise<void> {
    const answered = await Promise.all(moves.map(async move => ({ move, answer: await this.makeOne(move) })))
    const actual = await this.readState()
    const ends = this.states.flatMap(start => possibleEnds(start, answered))
    this.states = unique(ends.filter(end => end.status === actual.status && end.payment === actual.payment))
    if (this.states.length === 0) throw new Error(this.report(answered, ends, actual))
  }

  /** Sends the events of all payments that have succeeded, so that the ledger can be compared with the provider. */
  async deliverMissingWebhooks(): Promise<void> {
    for (const intent of this.intents)
      if (this.escrow.dependencies.intentStatus(intent) === 'succeeded')
        await this.escrow.webhook(succeeded(intent, this.totalMinor))
  }

  /** The money that the provider has for this deal: charged less refunded, in minor units. */
  get balanceAtProvider(): number {
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
        return answerOf(await escrow.cancel(id, people[move.who], move.key))
      case 'accept':
        return answerOf(await escrow.act(id, people[move.who], 'accept', undefined, move.key))
      case 'confirmDelivery':
        return answerOf(await escrow.act(id, people[move.who], 'confirm-delivery', undefined, move.key))
      case 'saveTracking':
        return answerOf(
          await escrow.act(id, people[move.who], 'tracking', { trackingNumber: this.trackingNumber }, move.key),
        )
      case 'refund':
        return answerOf(await escrow.act(id, people[move.who], 'refund', undefined, move.key))
      case 'handover': {
        const request = { actor: people[move.who], body: { status: 'in_progress' } }
        return answerOf(await escrow.request<CommandAnswer>('PATCH', `/api/transactions/${id}`, request))
      }
      case 'freeze':
        return answerOf(await escrow.dispute(id, 'freeze', move.dispute, people[move.who].id))
      case 'resume':
        return answerOf(await escrow.dispute(id, 'resume', move.dispute))
      case 'webhookDelivered':
        return String((await escrow.carrierDelivers(this.trackingNumber)).status)
      case 'fireTimers':
        await escrow.fireTimersEarly(id)
        return 'fired'
      case 'passDeadline':
        return this.passDeadline()
      case 'payAtProvider':
      case 'webhookSucceeded':
      case 'webhookDeclined':
        return this.makeAtProvider(move)
    }
  }

  private async makeAtProvider(
    move: Extract<Move, { good: boolean }> | { move: 'webhookSucceeded' | 'webhookDeclined' },
  ) {
    const { escrow, totalMinor } = this
    const intent = this.intents.at(-1)
    if (!intent) return move.move === 'payAtProvider' ? 'no intent' : 'no event'
    if (move.move === 'payAtProvider') {
      const card = move.good ? 'pm_card_visa' : 'pm_card_visa_chargeDeclined'
      return String((await escrow.dependencies.confirmCard(intent, card)).http)
    }
    if (move.move === 'webhookDeclined') return String((await escrow.webhook(declined(intent))).status)
    if (escrow.dependencies.intentStatus(intent) !== 'succeeded') return 'no event'
    // The same event twice, and another event about the same payment, all at the same time.
    const event = succeeded(intent, totalMinor)
    const all = await Promise.all([event, event, succeeded(intent, totalMinor)].map(each => escrow.webhook(each)))
    return [...new Set(all.map(({ status }) => String(status)))].join(' ')
  }

  /** Moves the deadline into the past and fires the timers until it has had its effect. */
  private async passDeadline(): Promise<Answer> {
    const { escrow, id } = this
    await escrow.elapse(id, LONG_DAYS)
    for (let firing = 0; firing < MAX_FIRINGS; firing++) {
      await Promise.all([escrow.fireTimers(id), escrow.fireTimers(id)])
      const { due } = await escrow.row<{ due: boolean }>(
        'SELECT coalesce(due_at <= now(), false) AS due FROM escrow.transaction WHERE id = $1',
        [id],
      )
      if (!due) return 'deadline passed'
    }
    return 'the deadline had no effect'
  }

  /** The deal's status in the database, and the state of its latest payment there and at the provider. */
  private async readState(): Promise<{ status: string; payment: PaymentState }> {
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
    const atProvider = this.escrow.dependencies.intentStatus(latest.id)
    return { status, payment: atProvider === 'succeeded' ? 'confirmed' : atProvider === 'canceled' ? 'closed' : 'open' }
  }

  private report(answered: readonly AnsweredMove[], ends: readonly ModelDeal[], actual: object): string {
    const lines = answered.map(({ move, answer }) => `  ${JSON.stringify(move)} → ${answer}`)
    return [
      `deal ${this.id}: no order of these moves explains their answers and the state afterwards`,
      `before: ${JSON.stringify(this.states)}`,
      ...lines,
      `after: ${JSON.stringify(actual)}`,
      `by the model: ${JSON.stringify(ends)}`,
    ].join('\n')
  }

  private get trackingNumber(): string {
    return `T${this.id}`
  }
}

const answerOf = ({ status, body }: SignedAnswer<CommandAnswer>): Answer =>
  status === 200 ? `200 ${body.status}` : String(status)

const unique = (deals: readonly ModelDeal[]): ModelDeal[] => [
  ...new Map(deals.map(deal => [JSON.stringify(deal), deal])).values(),
]
