import { invitationRoutes } from '@holdfast/contracts/invitations'
import { listingRoutes } from '@holdfast/contracts/listings'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { Member } from './member.js'
import type { Members } from './open-accounts.js'

const ITEM = {
  category: 'Electronics',
  condition: 'Good',
  inspectionPeriod: 3,
  returnPolicy: 'no-returns',
  images: [],
} as const

const PRIVATE = {
  ...ITEM,
  title: 'Rangefinder body for parts, as agreed with Maya',
  description: 'The shutter sticks at the slow speeds, and the viewfinder is dusty. Everything else is complete.',
  price: '60.00',
  isPrivate: true,
}
const OFF_SALE = {
  ...ITEM,
  title: 'Box of flash bulbs, unopened',
  description: 'Two dozen bulbs in their first box. I have taken them off sale until I know how to send them safely.',
  price: '24.00',
}

/**
 * What a visitor does not see: Theo offers one item to Maya alone, by an invitation, and has taken another off sale. Neither has
 * a picture. Started again it does what is missing.
 */
export async function offerAside({ theo, maya }: Members): Promise<void> {
  const isPrivate = await findOrOffer(theo, PRIVATE)
  const params = { id: String(isPrivate.id) }
  const invitations = await theo.call(invitationRoutes.listInvitations, { params })
  if (invitations.length === 0)
    await theo.call(invitationRoutes.createInvitation, {
      params,
      body: { inviteeEmail: maya.person.email, message: 'The camera for parts that we spoke about.' },
    })
  const offSale = await findOrOffer(theo, OFF_SALE)
  if (offSale.status === 'active')
    await theo.call(listingRoutes.withdrawListing, { params: { id: String(offSale.id) } })
}

async function findOrOffer(seller: Member, item: typeof PRIVATE | typeof OFF_SALE) {
  const query = { sellerId: seller.id, limit: MAX_PAGE_SIZE }
  const known = (await seller.call(listingRoutes.listListings, { query })).find(({ title }) => title === item.title)
  if (known) return known
  const { firstName, lastName } = seller.person
  return seller.call(listingRoutes.createListing, {
    body: {
      ...item,
      images: [],
      legalAcceptance: {
        termsAccepted: true,
        escrowAgreement: true,
        harmlessClause: true,
        digitalSignature: `${firstName} ${lastName}`,
        signatureDate: new Date().toISOString(),
      },
    },
  })
}
