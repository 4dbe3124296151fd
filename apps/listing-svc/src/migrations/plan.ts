import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Listings1795305600000 } from './1795305600000-listings.js'
import { PicturesOfPrivateListings1795410000000 } from './1795410000000-pictures-of-private-listings.js'
import { ScaledPictures1795500000000 } from './1795500000000-scaled-pictures.js'
import { Invitations1798000000000 } from './1798000000000-invitations.js'
import { Facets1798310000000 } from './1798310000000-facets.js'
import { RelistedListings1798320000000 } from './1798320000000-relisted-listings.js'
import { ListedItems1799600000000 } from './1799600000000-listed-items.js'
import { ClosedSellers1799740000000 } from './1799740000000-closed-sellers.js'
import { MailsByMailbox1799785000601 } from './1799785000601-mails-by-mailbox.js'
import { RowsByAge1799785002000 } from './1799785002000-rows-by-age.js'
import { BoundedCleanups1799785002100 } from './1799785002100-bounded-cleanups.js'
import { BuyersOfSoldListings1799785003100 } from './1799785003100-buyers-of-sold-listings.js'
import { SignedTerms1799786010000 } from './1799786010000-signed-terms.js'
import { TakenOverSellers1799786022000 } from './1799786022000-taken-over-sellers.js'

/** The migrations, role and grants of this service. To the append-only tables its role may only add rows. */
export const plan = {
  service: 'listing-svc' as const,
  role: 'listing_svc',
  schema: 'listing',
  migrations: [
    Listings1795305600000,
    PicturesOfPrivateListings1795410000000,
    ScaledPictures1795500000000,
    Invitations1798000000000,
    Facets1798310000000,
    RelistedListings1798320000000,
    ListedItems1799600000000,
    ClosedSellers1799740000000,
    MailsByMailbox1799785000601,
    RowsByAge1799785002000,
    BoundedCleanups1799785002100,
    BuyersOfSoldListings1799785003100,
    SignedTerms1799786010000,
    TakenOverSellers1799786022000,
  ],
  appendOnly: ['legal_acceptance', 'removed_picture', 'listing_buyer', IDEMPOTENCY_TABLE],
  grants: [
    idempotencyGrant('listing', 'listing_svc'),
    'GRANT EXECUTE ON FUNCTION listing.forget_acceptances(uuid) TO listing_svc',
  ],
} as const satisfies MigrationPlan
