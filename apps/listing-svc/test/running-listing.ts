import type { EventEnvelope, EventOf, listingCreated, PayloadOf } from '@holdfast/contracts/events'
import { EVENTS } from '@holdfast/contracts/events'
import type { Listing } from '@holdfast/contracts/listings'
import type { PublicUser } from '@holdfast/contracts/users'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { Mailer } from '@holdfast/mail/mailer'
import { Mailbox } from '@holdfast/sandbox/mail/mailbox'
import type { MailRecord } from '@holdfast/sandbox/mail/records'
import { ACTOR_HEADER, signActor, type UserActor } from '@holdfast/service-kit/auth/actor'
import { parseActorKeys } from '@holdfast/service-kit/auth/actor-keys'
import { contentOf } from '@holdfast/service-kit/auth/signed-content'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchService, type Started, startOnScratch } from '@holdfast/testing/scratch-service'
import { ScratchStorage } from '@holdfast/testing/scratch-storage'
import { userActor } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import sharp from 'sharp'
import { loadListingConfig } from '../src/config.js'
import type { CreatedListing } from '../src/listings/listings.repository.js'
import { plan } from '../src/migrations/plan.js'
import { listingService } from '../src/service.js'

/** A user: as the actor of a call, and with their public fields. */
export interface Person {
  readonly actor: UserActor
  readonly user: PublicUser
  readonly id: string
}

/** A new user with this first name. */
export function person(firstName: string): Person {
  const id = newId()
  const username = `${firstName.toLowerCase()}.${id.slice(-6)}`
  return {
    id,
    actor: userActor(id),
    user: { id, firstName, lastName: 'Test', username, isVerified: false, rating: null, profileImageUrl: null },
  }
}

export const legalAcceptance = {
  termsAccepted: true,
  escrowAgreement: true,
  harmlessClause: true,
  digitalSignature: 'Ana Test',
  signatureDate: '2026-11-20T10:00:00.000+02:00',
}

/** The create-listing screen's payload; a test can replace fields. */
export const listingInput = (changes: Record<string, unknown> = {}) => ({
  title: 'A lamp',
  description: 'It shines.',
  price: '120.50',
  category: 'Home & Garden',
  condition: 'Good',
  legalAcceptance,
  ...changes,
})

/** A picture of one colour as a data URL. */
export async function pictureUrl(red = 200, width = 40, height = 30): Promise<string> {
  const png = await sharp({ create: { width, height, channels: 3, background: { r: red, g: 40, b: 90 } } })
    .png()
    .toBuffer()
  return dataUrl(png)
}

export const dataUrl = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`

interface CreateOptions {
  readonly counterparty?: Person
  readonly key?: string
  readonly headers?: Record<string, string>
  readonly makerConfirmed?: boolean
}

/** The service on a scratch database and a scratch storage, and the calls of tests. */
export class RunningListing extends ScratchService {
  private constructor(
    started: Started,
    readonly storage: ScratchStorage,
    private readonly mailbox: Mailbox,
  ) {
    super(started)
  }

  /** @param more variables in addition to, or in place of, the usual ones */
  static async start(more: NodeJS.ProcessEnv = {}): Promise<RunningListing> {
    const storage = await ScratchStorage.make()
    const mailbox = await Mailbox.open()
    const settings = {
      ...storage.environment,
      PUBLIC_URL: 'http://localhost:3000',
      ...mailbox.environment,
      ...more,
    }
    const service = (env: NodeJS.ProcessEnv) => listingService(loadListingConfig({ ...env, ...settings }))
    const plans = [{ ...timersPlan, grants: timersGrants([plan.role]) }]
    const callers = ['gateway', 'escrow-svc'] as const
    return new RunningListing(await startOnScratch({ plan, more: plans, callers, service }), storage, mailbox)
  }

  /** The mails to an address, once there are so many. Mails that wait are sent at once. */
  mailsTo(address: string, count = 1): Promise<readonly MailRecord[]> {
    return this.mailbox.to(address, this.running.app.get(Mailer), count)
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.mailbox.close()
    await this.storage.remove()
  }

  /** Creates a listing as the gateway does: when the creator is the buyer, the seller is the counterparty. */
  create<T = CreatedListing>(creator: Person, changes: Record<string, unknown> = {}, options: CreateOptions = {}) {
    const { counterparty, key, headers, makerConfirmed = true } = options
    const seller = changes.userRole === 'buyer' && counterparty ? counterparty : creator
    return this.client.request<T>('POST', '/internal/listings', {
      actor: creator.actor,
      clientIp: '203.0.113.7',
      headers: { 'user-agent': 'Test browser', ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
      body: {
        listing: listingInput(changes),
        seller: seller.user,
        counterpartyId: counterparty?.id ?? null,
        makerConfirmed,
      },
    })
  }

  /** As `create`; throws unless it succeeded. */
  async created(creator: Person, changes: Record<string, unknown> = {}, options: CreateOptions = {}): Promise<Listing> {
    const answer = await this.create(creator, changes, options)
    if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.listing
  }

  get<T = Listing>(id: number, viewer?: Person, headers: Record<string, string> = {}) {
    return this.client.request<T>('GET', `/api/listings/${id}`, { actor: viewer?.actor ?? null, headers })
  }

  list<T = Listing[]>(query: string, viewer?: Person) {
    return this.client.request<T>('GET', `/api/listings${query}`, { actor: viewer?.actor ?? null })
  }

  change<T = Listing>(id: number, who: Person | undefined, body: unknown, headers: Record<string, string> = {}) {
    return this.client.request<T>('PATCH', `/api/listings/${id}`, { actor: who?.actor ?? null, body, headers })
  }

  /** As `change`, with the signature that a change of the terms needs. */
  changeTerms<T = Listing>(id: number, who: Person | undefined, body: object, headers: Record<string, string> = {}) {
    return this.change<T>(id, who, { ...body, digitalSignature: 'Ana Anew' }, headers)
  }

  withdraw(id: number, who: Person | undefined) {
    return this.client.request('DELETE', `/api/listings/${id}`, { actor: who?.actor ?? null })
  }

  /** A raw answer, for pictures. */
  async fetch(path: string, headers: Record<string, string> = {}, viewer?: Person): Promise<Response> {
    const signature = this.signature('GET', path, viewer)
    return fetch(`http://127.0.0.1:${this.running.port}${path}`, { headers: { [ACTOR_HEADER]: signature, ...headers } })
  }

  /** The signature header for a request that a test sends itself. */
  signature(method: string, path: string, who?: Person, body: string | null = null): string {
    const keys = parseActorKeys(this.keys)
    if (typeof keys === 'string') throw new Error(keys)
    const binding = { keys, callee: 'listing-svc' as const, method, path, now: new Date() }
    return signActor({ caller: 'gateway', actor: who?.actor ?? null, clientIp: null }, contentOf({}, body), binding)
  }

  /** The number of stored pictures. */
  async objects(): Promise<number> {
    return (await this.storage.files()).length
  }

  /** Publishes an event of a deal, and waits until it is handled. */
  async deal(name: DealEvent, transactionId: number, listing: Listing, options: DealEventOptions = {}): Promise<void> {
    await this.publish(dealEvent(name, transactionId, listing, options))
  }

  async publish(...events: readonly EventEnvelope[]): Promise<void> {
    for (const event of events) {
      const owner = event.topic === 'identity.user' ? 'identity-svc' : 'escrow-svc'
      await publishAs(owner, this.database, event)
    }
    await eventually(() => isCaughtUp('listing-svc', this.database))
  }

  /** How often a listing has changed, its creation included. */
  async versionOf({ id }: { readonly id: number }): Promise<number> {
    const { rows } = await this.database.admin.query('SELECT version FROM listing.listing WHERE id = $1', [id])
    return rows[0].version
  }

  /** The events this service wrote about a listing, oldest first. */
  async written(listingId: number): Promise<{ type: string; payload: PayloadOf<typeof listingCreated> }[]> {
    const read = async () => {
      const { rows } = await this.database.admin.query(
        `SELECT type, payload, position FROM events.log WHERE topic = 'listing.listing' AND key = $1 ORDER BY position`,
        [String(listingId)],
      )
      return rows
    }
    await eventually(async () => (await this.database.admin.query('SELECT 1 FROM listing.outbox')).rowCount === 0)
    return read()
  }
}

type DealEvent = 'transactionOpened' | 'transactionCancelled' | 'transactionCompleted'

interface DealEventOptions {
  readonly wasFunded?: boolean
  readonly buyerId?: string
}

/** An event of a deal. */
export function dealEvent(
  name: DealEvent,
  transactionId: number,
  listing: Listing,
  { wasFunded = false, buyerId = newId() }: DealEventOptions = {},
): EventEnvelope {
  const definition: EventOf<DealEvent> = EVENTS[name]
  const at = new Date()
  const deal = {
    transactionId,
    listingId: listing.id,
    buyerId,
    sellerId: listing.sellerId,
    title: listing.title,
    amount: listing.price,
    currency: 'USD' as const,
    status: 'pending' as const,
    at: at.toISOString(),
    actor: `user:${buyerId}`,
    openedBy: buyerId,
    wasFunded,
    cause: wasFunded ? ('refund' as const) : ('cancel' as const),
    sellerAccepted: true,
    isMutual: true,
    sellerNet: listing.price,
  }
  return newEvent(definition, transactionId, deal, at)
}
