import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { type SignedAnswer, userActor } from '@holdfast/testing/signed-client'
import { declined, succeeded } from '@holdfast/testing/stripe-events'
import { DealAtProvider, type SentMessage } from './deal-at-provider.js'
import type { CommandAnswer } from './deal-driver.js'
import type { Move, Who } from './deal-moves.js'
import { type Answer, type ModelDeal, newDeal, type PaymentState } from './deal-state.js'
import { type AnsweredMove, possibleEnds } from './linearizability.js'
import { PayoutsAtProvider } from './payouts-at-provider.js'
import type { RunningEscrow } from './running-escrow.js'

/** Longer than any clock of a deal. */
const LONG_DAYS = 60
/** How often the timers of a due deal are fired. Another move at the same time may make one attempt fail. */
const MAX_FIRINGS = 10

/**
 * A deal as a run wants it: without inspection or with one, whether its seller signed the terms or its buyer named them, its price, and
 * the card that pays for it.
 */
export interface WantedDeal {
  readonly asIs: boolean
  readonly isSigned: boolean
  readonly price: string
  readonly card: string
}

/** What is compared with the model after each batch of moves. */
type ActualState = Pick<ModelDeal, 'hold'> & { readonly status: string; readonly payment: PaymentState }

/** The moves of which the escrow learns by messages only, and these messages. */
type AtProvider = Extract<
  Move,
  {
    move:
      | 'refundByHand'
      | 'endRefund'
      | 'openChargeback'
      | 'closeChargeback'
      | 'decideAgain'
      | 'sendMessage'
      | 'sendInquiry'
      | 'sendForeign'
      | 'payOut'
      | 'sendPayouts'
      | 'endPayout'
      | 'sendPayoutMessage'
  }
>

/** A deal in a running escrow, together with its states in the model. Every move is made in both and compared. */
export class ModelledDeal {
  /** The possible states in the model: more than one while the answers fit several. */
  private states: readonly ModelDeal[]
  private readonly people: Readonly<Record<Who, UserActor>>
  readonly atProvider: DealAtProvider
  readonly payouts: PayoutsAtProvider

  private constructor(
    private readonly escrow: RunningEscrow,
    readonly id: number,
    readonly totalMinor: number,
    feeMinor: number,
    buyer: UserActor,
    seller: UserActor,
    private readonly wanted: WantedDeal,
  ) {
    this.people = { buyer, seller, stranger: userActor() }
    this.states = [newDeal(wanted.asIs, wanted.isSigned, totalMinor, feeMinor)]
    this.atProvider = new DealAtProvider(escrow)
    this.payouts = new PayoutsAtProvider(escrow, seller)
  }

  static async open(escrow: RunningEscrow, wanted: WantedDeal): Promise<ModelledDeal> {
    const { asIs, isSigned, price } = wanted
    const terms = { inspectionDays: asIs ? 0 : 3, price }
    const { id, totalMinor, buyer, seller } = await (isSigned ? escrow.open(terms) : escrow.openNaming(terms))
    const feeMinor = totalMinor - Math.round(Number(price) * 100)
    const deal = new ModelledDeal(escrow, id, totalMinor, feeMinor, buyer, seller, wanted)
    await deal.payouts.openAccount()
    return deal
  }

  /**
   * Makes moves at the same time.
   *
   * @throws Error when no order of the moves explains their answers and the escrow's state afterwards
   */
  async make(moves: readonly Move[]): Promise<void> {
    const answered = await Promise.all(moves.map(move => this.answered(move)))
    const actual = await this.readState()
    const ends = this.states.flatMap(start => possibleEnds(start, answered))
    this.states = unique(ends.filter(end => isAs(end, actual)))
    if (this.states.length === 0) throw new Error(this.report(answered, ends, actual))
  }

  /**
   * Sends every event of the provider about payments that have succeeded, refunds and chargebacks, so that the ledger can be
   * compared with the provider.
   */
  async sendEverything(): Promise<void> {
    for (const intent of this.atProvider.intents)
      if (this.escrow.dependencies.intentStatus(intent) === 'succeeded')
        await this.escrow.webhook(succeeded(intent, this.totalMinor))
    const refused = (await this.atProvider.sendAll()).filter(status => status !== 200)
    if (refused.length > 0) throw new Error(`deal ${this.id}: messages were answered with ${refused}`)
    await this.payouts.finish()
  }

  /** Makes a move. A message is noted with what it says. */
  private async answered(move: Move): Promise<AnsweredMove> {
    const { atProvider, totalMinor } = this
    switch (move.move) {
      case 'sendMessage':
        return asMessage(move, await atProvider.sendNth(move.nth, move.copy))
      case 'sendInquiry':
        return asMessage(move, await atProvider.sendInquiry(totalMinor, move.closed))
      case 'refundByHand':
        await atProvider.refund(totalMinor, move.part)
        return { move, answer: 'at the provider' }
      case 'endRefund':
        await atProvider.endRefund(move.outcome)
        return { move, answer: 'at the provider' }
      case 'openChargeback':
        await atProvider.openChargeback()
        return { move, answer: 'at the provider' }
      case 'closeChargeback':
        await atProvider.closeChargeback(move.outcome)
        return { move, answer: 'at the provider' }
      case 'decideAgain':
        await atProvider.decideAgain()
        return { move, answer: 'at the provider' }
      case 'payOut':
        return { move, answer: await this.payouts.request(move.key) }
      case 'sendPayouts':
        await this.payouts.sendAll()
        return { move, answer: 'no matter' }
      case 'endPayout':
        await this.payouts.end(move.outcome)
        return { move, answer: 'no matter' }
      case 'sendPayoutMessage':
        await this.payouts.sendNth(move.nth, move.copy)
        return { move, answer: 'no matter' }
      case 'sendForeign':
        return { move, answer: (await atProvider.sendForeign(totalMinor)).join(' ') }
      default:
        return { move, answer: await this.makeOne(move) }
    }
  }

  private async makeOne(move: Exclude<Move, AtProvider>): Promise<Answer> {
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
      case 'forceRefund': {
        const { status, body } = await escrow.forceRefund(id)
        return status === 200 ? `200 ${body.state}` : String(status)
      }
      case 'settle':
        return answerOf(await escrow.settleDispute(id, move.dispute, SETTLEMENTS[move.back]))
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
    const intent = this.atProvider.intents.at(-1)
    if (!intent) return move.move === 'payAtProvider' ? 'no intent' : 'no event'
    if (move.move === 'payAtProvider') {
      const card = move.good ? this.wanted.card : 'pm_card_visa_chargeDeclined'
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

  /** The deal's status and hold in the database, and the state of its latest payment there and at the provider. */
  private async readState(): Promise<ActualState> {
    const { status, hold, intents } = await this.escrow.row<{
      status: string
      hold: number
      intents: { id: string; status: string }[]
    }>(
      `SELECT t.status, t.hold_minor::int AS hold, coalesce((SELECT json_agg(json_build_object('id', p.intent_id, 'status', p.status) ORDER BY p.id)
         FROM escrow.payment p WHERE p.transaction_id = t.id AND p.intent_id IS NOT NULL), '[]') AS intents
       FROM escrow.transaction t WHERE t.id = $1`,
      [this.id],
    )
    this.atProvider.intents = intents.map(intent => intent.id)
    const latest = intents.at(-1)
    if (!latest) return { status, hold, payment: 'none' }
    if (latest.status === 'succeeded') return { status, hold, payment: 'booked' }
    const atProvider = this.escrow.dependencies.intentStatus(latest.id)
    const payment = atProvider === 'succeeded' ? 'confirmed' : atProvider === 'canceled' ? 'closed' : 'open'
    return { status, hold, payment }
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

/** The timeline entry of a settlement has its cause as kind. So each cause stands for other events here. */
const SETTLEMENTS = {
  nothing: { refundAmount: '0', cause: 'ruling' },
  'ten cents': { refundAmount: '0.10', cause: 'settlement' },
  all: { refundAmount: null, cause: 'return' },
} as const

const answerOf = ({ status, body }: SignedAnswer<CommandAnswer>): Answer =>
  status === 200 ? `200 ${body.status}` : String(status)

const unique = (deals: readonly ModelDeal[]): ModelDeal[] => [
  ...new Map(deals.map(deal => [JSON.stringify(deal), deal])).values(),
]

const asMessage = (move: Move, sent: SentMessage | null): AnsweredMove =>
  sent
    ? { move: { move: 'message', message: sent.message }, answer: String(sent.status) }
    : { move, answer: 'no event' }

const isAs = (end: ModelDeal, actual: ActualState): boolean =>
  end.status === actual.status && end.payment === actual.payment && end.hold === actual.hold
