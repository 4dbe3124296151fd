import { DISPUTE_REASONS, FILED_DISPUTE_REASONS, SYSTEM_DISPUTE_REASONS } from './disputes.js'
import { COMPANY_SIZES, MIN_ENTERPRISE_MESSAGE_LENGTH, MONTHLY_VOLUMES, SUPPORT_CATEGORIES } from './enquiries.js'
import { buyerFeesOf, CURRENT_FEE_SCHEDULE, PREMIUM_MONTHLY_MINOR, PREMIUM_YEARLY_MINOR, sellerFeeOf } from './fees.js'
import { LISTING_IMAGE_BOX, LISTING_IMAGE_QUALITY, MAX_IMAGES, MAX_PICKED_IMAGE_BYTES } from './images.js'
import { CATEGORIES, CONDITIONS, INSPECTION_DAYS, RETURN_POLICIES } from './listings.js'
import { displayAmount } from './money.js'
import { MIN_TRACKING_LOOKUP_LENGTH, TRACKING_POLL_MS } from './tracking.js'
import { MIN_SEARCH_LENGTH, VERIFICATION_BOXES, VERIFICATION_IMAGE_QUALITY } from './users.js'

// The figures of section 9 of the spec, written out. What the product does at, below and beyond each stands beside the code.

describe('the figures and choices of the spec', () => {
  it.each([
    ['pictures of a listing', MAX_IMAGES, 20],
    ['bytes of a chosen picture', MAX_PICKED_IMAGE_BYTES, 50 * 1024 * 1024],
    ['box of a listing picture', LISTING_IMAGE_BOX, { width: 600, height: 400 }],
    ['quality of a listing picture', LISTING_IMAGE_QUALITY, 0.6],
    ['box of an identity card', VERIFICATION_BOXES.idFrontImage, { width: 1200, height: 1200 }],
    ['box of its back', VERIFICATION_BOXES.idBackImage, { width: 1200, height: 1200 }],
    ['box of a selfie', VERIFICATION_BOXES.selfieImage, { width: 800, height: 800 }],
    ['quality of a document', VERIFICATION_IMAGE_QUALITY, 0.8],
    ['characters of a search for a user', MIN_SEARCH_LENGTH, 3],
    ['characters of a tracking number that is looked up', MIN_TRACKING_LOOKUP_LENGTH, 6],
    ['milliseconds between two lookups', TRACKING_POLL_MS, 300_000],
    ['characters of an enterprise message', MIN_ENTERPRISE_MESSAGE_LENGTH, 10],
    ['cents of Premium a month', PREMIUM_MONTHLY_MINOR, 3_000n],
    ['cents of Premium a month when it is billed yearly', PREMIUM_YEARLY_MINOR / 12n, 2_000n],
  ])('%s', (_, ours, spec) => expect(ours).toEqual(spec))

  it.each([
    ['inspection', INSPECTION_DAYS, [0, 3, 5, 7]],
    ['return policy', RETURN_POLICIES, ['no-returns', '7-day-return', '14-day-return', '30-day-return']],
    ['condition', CONDITIONS, ['New', 'Like New', 'Excellent', 'Good', 'Fair', 'Poor']],
    [
      'category',
      CATEGORIES,
      [
        ...['Electronics', 'Fashion', 'Home & Garden', 'Sports', 'Automotive'],
        ...['Books', 'Jewelry', 'Watches', 'Art', 'Other'],
      ],
    ],
    ['company size', COMPANY_SIZES, ['50-99', '100-499', '500-999', '1000-4999', '5000+']],
    ['monthly volume', MONTHLY_VOLUMES, ['$100k-$500k', '$500k-$1M', '$1M-$5M', '$5M-$10M', '$10M+']],
    [
      'category of a support request',
      SUPPORT_CATEGORIES,
      ['general', 'technical', 'transaction', 'account', 'billing'],
    ],
  ])('the choices of: %s', (_, ours, spec) => expect(ours).toEqual(spec))

  it('every reason of both dispute forms can be filed, and no reason of the system can', () => {
    const dialog = [
      'item_not_received',
      'item_not_as_described',
      'damaged_item',
      'seller_unresponsive',
      'payment_issues',
    ]
    const wizard = ['item-not-received', 'item-not-as-described', 'item-damaged', 'seller-non-responsive']
    expect(FILED_DISPUTE_REASONS).toEqual(expect.arrayContaining([...dialog, ...wizard, 'shipping-issues', 'other']))
    expect(FILED_DISPUTE_REASONS).not.toEqual(expect.arrayContaining([SYSTEM_DISPUTE_REASONS[0]]))
    expect(new Set(DISPUTE_REASONS).size).toBe(FILED_DISPUTE_REASONS.length + SYSTEM_DISPUTE_REASONS.length)
  })
})

describe('the fees of the spec', () => {
  const basis = { priceMinor: 100_000n, currency: 'USD', feeSchedule: CURRENT_FEE_SCHEDULE } as const

  it.each([
    ['standard', 'bank', 1_500n, 0n],
    ['premium', 'bank', 1_000n, 0n],
    // Both readings of the spec hold: 1.5 % for each side, and 2 % plus 5.00 on the page for cards.
    ['standard', 'card', 2_000n, 500n],
  ] as const)('a %s buyer who pays by %s', (buyerPlan, method, platformFeeMinor, processingFeeMinor) => {
    expect(buyerFeesOf({ ...basis, buyerPlan }, method)).toMatchObject({ platformFeeMinor, processingFeeMinor })
  })

  it.each([
    ['standard', 1_500n],
    ['premium', 1_000n],
  ] as const)('a %s seller', (sellerPlan, fee) => expect(sellerFeeOf({ ...basis, sellerPlan })).toBe(fee))
})

it('amounts show two decimals and are grouped as in the United States', () => {
  expect(['0', '5', '1234.5', '980000.00'].map(amount => displayAmount(amount, 'USD'))).toEqual([
    '$0.00',
    '$5.00',
    '$1,234.50',
    '$980,000.00',
  ])
})
