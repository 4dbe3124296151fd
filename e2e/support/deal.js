import { randomBytes, randomUUID } from 'node:crypto'
import { eventually } from './eventually.js'
import { Person } from './person.js'
import { confirmCard, moveParcel } from './sandbox.js'

/** The body of a listing, with the fields that a journey sets itself. */
export const listingBody = (more = {}) => ({
  title: 'Brass sextant in its box',
  description: 'A working sextant from 1961. The mirrors are clear and the arc is bright.',
  price: '120.00',
  category: 'Other',
  condition: 'Good',
  location: 'Halifax, NS',
  inspectionPeriod: 3,
  returnPolicy: '7-day-return',
  ...more,
  legalAcceptance: {
    termsAccepted: true,
    escrowAgreement: true,
    harmlessClause: true,
    digitalSignature: 'Sam Tester',
    signatureDate: new Date().toISOString(),
  },
})

export const trackingNumber = () => `HF${randomBytes(6).toString('hex').toUpperCase()}`

/** A deal between a buyer and a seller, and their steps. Each step resolves as soon as both parties can see it. */
export class Deal {
  trackingNumber = ''
  /** Set by whoever files a dispute. */
  disputeId = 0

  /**
   * @param {number} id
   * @param {Person} buyer
   * @param {Person} seller
   * @param {any} listing as the API shows it
   */
  constructor(id, buyer, seller, listing) {
    this.id = id
    this.buyer = buyer
    this.seller = seller
    this.listing = listing
  }

  /**
   * Opens a deal on a new listing, by default between two new people.
   *
   * @param {object} more fields of the listing
   * @param {{ buyer?: Person, seller?: Person }} people
   */
  static async open(more = {}, people = {}) {
    const [buyer, seller] = await Promise.all([
      people.buyer ?? Person.signUp('Bea'),
      people.seller ?? Person.signUp('Sam'),
    ])
    const listing = await seller.expect(201, 'POST', '/api/listings', { body: listingBody(more) })
    const body = { listingId: listing.id, buyerId: buyer.id, amount: listing.price }
    const { id } = await buyer.expect(201, 'POST', '/api/transactions', { body })
    return new Deal(id, buyer, seller, listing)
  }

  /**
   * Opens a deal by which the buyer names a seller, who has signed nothing.
   *
   * @param {object} more fields of the listing
   * @param {{ buyer?: Person, seller?: Person }} people
   */
  static async naming(more = {}, people = {}) {
    const [buyer, seller] = await Promise.all([
      people.buyer ?? Person.signUp('Bea'),
      people.seller ?? Person.signUp('Sam'),
    ])
    const body = listingBody({ userRole: 'buyer', selectedUserId: seller.id, ...more })
    const listing = await buyer.expect(201, 'POST', '/api/listings', { body })
    return new Deal(listing.transaction.id, buyer, seller, listing)
  }

  /** Opens a deal and brings it to this status. */
  static async at(status, more = {}, people = {}) {
    const deal = await Deal.open(more, people)
    const steps = { pending: 0, paid: 1, shipped: 2, inspection: 3, completed: 4 }[status]
    if (steps === undefined) throw new Error(`no known steps lead to ${status}`)
    if (steps >= 1) await deal.pay()
    if (steps >= 2) await deal.ship()
    if (steps >= 3) await deal.deliver()
    if (steps >= 4) await deal.accept()
    return deal
  }

  get path() {
    return `/api/transactions/${this.id}`
  }

  seenBy(person) {
    return person.expect(200, 'GET', this.path)
  }

  async status() {
    const { status } = await this.seenBy(this.buyer)
    return status
  }

  reaches(status, options) {
    return eventually(`deal ${this.id} is ${status}`, async () => (await this.status()) === status, options)
  }

  /** @param {string} key */
  beginPayment(key = randomUUID()) {
    return this.buyer.expect(201, 'POST', `${this.path}/payments`, { body: { method: 'card' }, key })
  }

  async pay() {
    await confirmCard(await this.beginPayment())
    await this.reaches('paid')
  }

  /** Ships, and waits until the carrier knows the parcel. The product gets no scans from before that. */
  async ship() {
    this.trackingNumber = trackingNumber()
    const body = { trackingNumber: this.trackingNumber, carrier: 'UPS' }
    await this.seller.expect(200, 'POST', `${this.path}/tracking`, { body })
    await eventually('the carrier knows the parcel', async () => {
      const { status } = await this.buyer.call('GET', `/api/tracking/${this.trackingNumber}`)
      return status === 200
    })
  }

  async deliver() {
    await moveParcel(this.trackingNumber, 'delivered')
    await this.reaches('inspection')
  }

  async accept() {
    await this.buyer.expect(200, 'POST', `${this.path}/accept`)
  }

  ledgerFor(person) {
    return person.expect(200, 'GET', `${this.path}/ledger`)
  }
}

/** The ledger with one line per posting: debit, credit and amount. */
export const moves = ledger => ledger.map(({ debit, credit, amount }) => `${debit.kind} → ${credit.kind} ${amount}`)
