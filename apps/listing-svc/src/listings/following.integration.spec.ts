import { userRegistered, userUpdated } from '@holdfast/contracts/events'
import type { Listing } from '@holdfast/contracts/listings'
import { newEvent } from '@holdfast/events/outbox/event'
import { redeliverAll } from '@holdfast/testing/event-log'
import { person, RunningListing } from '../../test/running-listing.js'

const ana = person('Ana')

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

describe('a deal on a listing', () => {
  let next = 1
  const deals = () => [next++, next++] as const
  const statusOf = async ({ id }: Listing) => (await service.get(id, ana)).body.status
  const refused = async ({ id }: Listing) => [
    (await service.changeTerms(id, ana, { title: 'Changed' })).status,
    (await service.withdraw(id, ana)).status,
  ]

  it('reserves it, and sells it when it completes; meanwhile it cannot be changed', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('reserved')
    expect(await refused(listing)).toEqual([409, 409])
    await service.deal('transactionCompleted', deal, listing)
    expect(await statusOf(listing)).toBe('sold')
    expect(await refused(listing)).toEqual([409, 409])
    expect(await service.versionOf(listing)).toBe(3)
  })

  it('that is cancelled unpaid puts it on sale again', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing)
    expect(await statusOf(listing)).toBe('active')
  })

  it.each(['seller', 'buyer'])(
    'that is cancelled unpaid leaves it off sale when the %s made it for the other party, until its owner offers it again',
    async userRole => {
      const ben = person('Ben')
      const [maker, other] = userRole === 'seller' ? [ana, ben] : [ben, ana]
      const listing = await service.created(maker, { userRole }, { counterparty: other })
      const [deal] = deals()
      await service.deal('transactionOpened', deal, listing)
      await service.deal('transactionCancelled', deal, listing)
      expect(await statusOf(listing)).toBe('inactive')
      expect((await service.changeTerms(listing.id, ana, { status: 'active' })).body.status).toBe('active')
    },
  )

  it('that is cancelled unpaid leaves it off sale when its owner had withdrawn it', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.withdraw(listing.id, ana)
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('reserved')
    await service.deal('transactionCancelled', deal, listing)
    expect(await statusOf(listing)).toBe('inactive')
  })

  it('that is cancelled after payment takes it off sale until its owner offers it again', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing, { wasFunded: true })
    expect(await statusOf(listing)).toBe('inactive')
    expect((await service.change(listing.id, ana, { status: 'active' })).body.status).toBe('active')
  })

  it('does not undo a newer one when its events arrive late', async () => {
    const [listing, [older, newer]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', newer, listing)
    await service.deal('transactionOpened', older, listing)
    await service.deal('transactionCancelled', older, listing)
    expect(await statusOf(listing)).toBe('reserved')
    await service.deal('transactionCompleted', newer, listing)
    await service.deal('transactionCancelled', older, listing)
    expect(await statusOf(listing)).toBe('sold')
  })

  it.each([
    ['before its opening', []],
    ['after its opening', ['transactionOpened']],
  ] as const)('that was cancelled %s does not reserve it when the opening is replayed', async (_, before) => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    for (const name of [...before, 'transactionCancelled', 'transactionOpened'] as const)
      await service.deal(name, deal, listing)
    expect(await statusOf(listing)).toBe('active')
  })

  it('that was cancelled after payment does not reserve it when the opening is replayed after it was offered again', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing, { wasFunded: true })
    await service.change(listing.id, ana, { status: 'active' })
    await service.deal('transactionOpened', deal, listing)
    expect(await statusOf(listing)).toBe('active')
  })

  it('has one effect when its events are delivered twice', async () => {
    const [listing, [deal]] = [await service.created(ana), deals()]
    await service.deal('transactionOpened', deal, listing)
    await service.deal('transactionCancelled', deal, listing)
    await redeliverAll('listing-svc', service.database)
    await service.deal('transactionOpened', next++, await service.created(ana))
    expect([await statusOf(listing), await service.versionOf(listing)]).toEqual(['active', 3])
  })
})

describe('a seller', () => {
  it('has the fields of the latest event of identity-svc, in every order of arrival', async () => {
    const dora = person('Dora')
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 1) + seconds * 1000)
    const named = (firstName: string) => ({
      user: { ...dora.user, firstName, emailConfirmed: true, takenOverAt: null },
    })
    const { id } = await service.created(dora)
    await service.publish(newEvent(userUpdated, dora.id, named('Dorothea'), at(2)))
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
    await service.publish(newEvent(userRegistered, dora.id, named('Dora'), at(1)))
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
    await service.created(dora)
    expect((await service.get(id)).body.seller.firstName).toBe('Dorothea')
  })
})
