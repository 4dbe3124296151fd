import type { Listing } from '@holdfast/contracts/listings'
import { encodePicture } from '@holdfast/pictures/encode-picture'
import { objectKey } from '@holdfast/storage/object-storage'
import { type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const UNKNOWN = `/api/images/${'0'.repeat(64)}`
const [ana, ben, eve] = [person('Ana'), person('Ben'), person('Eve')]
const viewers = { ana, ben, eve, visitor: undefined }

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

let width = 40
/** A picture of a width that no other has. */
const newPicture = () => pictureUrl(200, width++)

/** A listing with one picture, which no other listing has, and the picture's path. */
async function offer(changes: Record<string, unknown> = {}, maker = ana, counterparty?: Person) {
  const images = [await newPicture()]
  const listing = await service.created(maker, { images, ...changes }, counterparty ? { counterparty } : {})
  return { listing, picture: listing.images[0]! }
}

/** The names of those who get the picture. Everyone else must get the answer for an unknown picture. */
async function audienceOf(picture: string): Promise<string[]> {
  const unknown = await refusalOf(await service.fetch(UNKNOWN))
  const audience: string[] = []
  for (const [name, viewer] of Object.entries(viewers)) {
    // A browser that has the picture from an earlier user names it in this header.
    const headers = name === 'eve' ? { 'if-none-match': `"${picture.slice(-64)}"` } : {}
    const answer = await service.fetch(picture, headers, viewer)
    if (answer.status < 400) audience.push(name)
    else expect(await refusalOf(answer)).toEqual(unknown)
  }
  return audience
}

const refusalOf = async (answer: Response) => {
  const { code } = (await answer.json()) as { code: string }
  return { status: answer.status, code, cached: answer.headers.get('cache-control'), etag: answer.headers.get('etag') }
}

async function readersOf({ id }: Listing): Promise<string[]> {
  const answers = await Promise.all(Object.values(viewers).map(viewer => service.get(id, viewer)))
  return Object.keys(viewers).filter((_, i) => answers[i]!.status === 200)
}

describe('a picture', () => {
  it.each([
    ['a public listing: everyone', ['ana', 'ben', 'eve', 'visitor'], () => offer()],
    ['a private listing: its seller', ['ana'], () => offer({ isPrivate: true })],
    ['a listing made for a buyer: both parties', ['ana', 'ben'], () => offer({}, ana, ben)],
    ['a listing made by a buyer: both parties', ['ana', 'ben'], () => offer({ userRole: 'buyer' }, ben, ana)],
  ] as const)('is sent to those who may see its listing. %s', async (_, audience, make) => {
    const { listing, picture } = await make()
    expect(await readersOf(listing)).toEqual(audience)
    expect(await audienceOf(picture)).toEqual(audience)
  })

  it('that is not public is not kept by a browser or a proxy', async () => {
    const { picture } = await offer({ isPrivate: true })
    expect((await service.fetch(picture, {}, ana)).headers.get('cache-control')).toBe('private, no-store')
  })

  it('of a listing that becomes private is sent to strangers no more, and is again once it is public', async () => {
    const { listing, picture } = await offer()
    await service.change(listing.id, ana, { isPrivate: true })
    expect(await audienceOf(picture)).toEqual(['ana'])
    await service.change(listing.id, ana, { isPrivate: false })
    expect(await audienceOf(picture)).toEqual(['ana', 'ben', 'eve', 'visitor'])
  })

  it('of a public listing that is off sale is sent to everyone, as its listing is', async () => {
    const { listing, picture } = await offer()
    await service.withdraw(listing.id, ana)
    expect([await readersOf(listing), await audienceOf(picture)]).toEqual([
      ['ana', 'ben', 'eve', 'visitor'],
      ['ana', 'ben', 'eve', 'visitor'],
    ])
  })

  it('that was removed, or whose listing became private, is sent to the seller and to buyers whose deals show it', async () => {
    const { listing, picture } = await offer()
    await service.deal('transactionOpened', 1, listing, { buyerId: ben.id })
    await service.deal('transactionCancelled', 1, listing, { buyerId: ben.id })
    await service.changeTerms(listing.id, ana, { images: [] })
    expect(await audienceOf(picture)).toEqual(['ana', 'ben'])
    await service.change(listing.id, ana, { isPrivate: true })
    expect(await audienceOf(picture)).toEqual(['ana', 'ben'])
  })

  it('that a public listing has as well is sent to everyone', async () => {
    const image = await newPicture()
    const hidden = await service.created(ana, { images: [image], isPrivate: true })
    await service.created(ben, { images: [image] })
    expect(await audienceOf(hidden.images[0]!)).toEqual(['ana', 'ben', 'eve', 'visitor'])
  })

  it('that was stored for a listing that was refused is sent to no user', async () => {
    const { listing } = await offer()
    const image = await newPicture()
    const stale = { 'if-match': '"9-1"' }
    expect((await service.changeTerms(listing.id, ana, { images: [image] }, stale)).status).toBe(409)
    const bytes = Buffer.from(image.split(',')[1]!, 'base64')
    const hash = objectKey((await encodePicture({ bytes, pixels: 1 })) as Buffer)
    expect(await service.storage.findFile(hash)).toBeDefined()
    expect(await audienceOf(`/api/images/${hash}`)).toEqual([])
  })
})
