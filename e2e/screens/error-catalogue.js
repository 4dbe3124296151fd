import { payWith } from '../browser/card.js'
import { chooseCounterparty, fillItem, signAndCreate } from '../browser/listing-wizard.js'
import { chooseDocuments } from '../browser/verification.js'
import { listingBody, trackingNumber } from '../support/deal.js'
import { PASSWORD } from '../support/person.js'
import { png } from '../support/picture.js'
import { DECLINED_CARD, GOOD_CARD } from '../support/sandbox.js'

const press = (page, name) => page.getByRole('button', { name }).first().click()
const fill = async (page, values) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}

/**
 * A call that is refused, with these words of the server or without any.
 *
 * @param {string} method
 * @param {string} path
 * @param {number} status
 * @param {string | null} says
 */
const refusing = (method, path, status = 409, says = null) => ({
  ...{ method, path, status },
  json: says === null ? {} : { code: 'CONFLICT', message: says, error: says, details: null, requestId: 'test' },
})

/**
 * The messages that people read after an action, row by row: who opens which page, what they do there, which call is refused, and the
 * words. They are in the order in which the deals of `prepare` allow them.
 *
 * `refused` answers a call with a status. Without words of the server the page must use its own.
 *
 * @type {{
 *   row: string,
 *   as?: string,
 *   path: string | ((world: any) => string),
 *   refused?: ReturnType<typeof refusing>,
 *   act?: (page: import('playwright-core').Page, world: any) => unknown,
 *   shows: string[],
 * }[]}
 */
export const CATALOGUE = [
  // First, because the time to pay is short here.
  {
    row: 'Cancel: failure',
    as: 'buyer',
    path: ({ pending }) => `/transaction/${pending.id}`,
    refused: refusing('DELETE', '/api/transactions/*'),
    act: page => confirmed(page, /^Cancel/),
    shows: ['Error cancelling transaction'],
  },
  {
    row: 'Funds payment (send-funds form): failure',
    as: 'buyer',
    path: ({ pending }) => `/send-funds/${pending.id}`,
    act: page => payWith(page, DECLINED_CARD),
    shows: ['Payment Failed'],
  },
  {
    row: 'Funds payment (send-funds form): success',
    as: 'buyer',
    path: ({ pending }) => `/send-funds/${pending.id}`,
    act: page => payWith(page, GOOD_CARD),
    shows: ['Payment Successful', 'Funds have been sent successfully!'],
  },
  {
    row: 'Cancel: success',
    as: 'buyer',
    path: ({ unwanted }) => `/transaction/${unwanted.id}`,
    act: page => confirmed(page, /^Cancel/),
    shows: ['Transaction cancelled', 'Transaction has been cancelled and removed'],
  },
  {
    row: 'Sign-in failure',
    path: '/auth',
    act: async page => {
      await fill(page, { Email: 'nobody@example.com', Password: 'not the password' })
      await page.getByRole('form').or(page.locator('form')).getByRole('button', { name: 'Sign In' }).click()
    },
    shows: ['Error', 'Invalid email or password'],
  },
  {
    row: 'Sign-up failure',
    path: '/auth?tab=sign-up',
    act: async (page, { buyer }) => {
      await fill(page, {
        'First Name': 'Ann',
        'Last Name': 'Other',
        Username: 'ann.other.again',
        Email: buyer.email,
        Password: 'a long and strange sentence',
      })
      await press(page, 'Create Account')
    },
    shows: ['Error', 'Failed to create account. Email may already be in use.'],
  },
  {
    row: 'Sign-in success',
    path: '/auth',
    act: async (page, { other }) => {
      await fill(page, { Email: other.email, Password: PASSWORD })
      await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
    },
    shows: ['Signed in successfully!'],
  },
  {
    row: 'Sign-up success',
    path: '/auth?tab=sign-up',
    act: async page => {
      const username = `ann.${Date.now().toString(36)}`
      await fill(page, {
        'First Name': 'Ann',
        'Last Name': 'New',
        Username: username,
        Email: `${username}@example.com`,
        Password: 'a long and strange sentence',
      })
      await press(page, 'Create Account')
    },
    shows: ['Account created successfully!'],
  },
  {
    row: 'Dashboard load failure',
    as: 'buyer',
    path: '/dashboard',
    refused: refusing('GET', '/api/transactions?**', 500, 'The list is being repaired.'),
    shows: ['Error Loading Dashboard', 'The list is being repaired.'],
  },
  {
    row: 'Create listing failure',
    as: 'seller',
    path: '/create-listing',
    refused: refusing('POST', '/api/listings'),
    act: createListing,
    shows: ['Error', 'Failed to create transaction. Please try again.'],
  },
  {
    row: 'Another offer to a stranger before the address is confirmed',
    as: 'eager',
    path: '/create-listing',
    act: async (page, { other }) => {
      await chooseCounterparty(page, other)
      await fillItem(page, listingBody())
      await press(page, 'Continue to Legal Documents')
      await signAndCreate(page, 'Eve Tester')
      await press(page, 'Send the Link Again')
    },
    shows: ['you can make 3 offers a day to people with whom you have not traded yet', 'Mail sent'],
  },
  {
    row: 'Start transaction failure',
    as: 'buyer',
    path: ({ listing }) => `/listing/${listing.id}`,
    refused: refusing('POST', '/api/transactions', 400),
    act: page => press(page, 'Buy with Escrow Protection'),
    shows: ['Failed to start transaction. Please try again.'],
  },
  {
    row: 'Verification: missing documents',
    as: 'buyer',
    path: '/verification',
    // The button is disabled until all three documents are chosen.
    act: async page => {
      const form = page.locator('form', { has: page.getByRole('button', { name: 'Submit for Verification' }) })
      await form.evaluate((/** @type {HTMLFormElement} */ each) => each.requestSubmit())
    },
    shows: ['Missing Documents'],
  },
  {
    row: 'Verification: processing error',
    as: 'buyer',
    path: '/verification',
    act: async page => {
      await chooseDocuments(page)
      const broken = { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
      await page.getByLabel('Selfie Photo *').setInputFiles(broken)
      await press(page, 'Submit for Verification')
    },
    shows: ['Processing Error', 'Error processing images. Please try again.', 'broken.png: Failed to load image'],
  },
  {
    row: 'Verification: failure',
    as: 'buyer',
    path: '/verification',
    refused: refusing('POST', '/api/verification/submit'),
    act: submitDocuments,
    shows: ['Submission Failed', 'There was an error submitting your verification. Please try again.'],
  },
  {
    row: 'Verification: success',
    as: 'buyer',
    path: '/verification',
    act: submitDocuments,
    shows: [
      'Verification Submitted',
      'Your documents have been submitted for review. You will be notified once verified.',
    ],
  },
  {
    row: 'Too many images',
    as: 'seller',
    path: '/create-listing',
    act: page =>
      chooseFiles(
        page,
        Array.from({ length: 21 }, (_, i) => picture(i)),
      ),
    shows: ['Too many images', 'You can only add 20 more images (20 total maximum)'],
  },
  {
    row: 'Invalid file, image errors: no image',
    as: 'seller',
    path: '/create-listing',
    act: page => chooseFiles(page, [{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') }]),
    shows: ['Invalid file', 'notes.txt: File must be an image'],
  },
  {
    row: 'Image errors: too large',
    as: 'seller',
    path: '/create-listing',
    // The file is made in the page, because 50 MB cannot be sent to the browser by the test.
    act: async page => {
      await press(page, 'Skip This Step')
      await page.locator('input[type=file]').evaluate((/** @type {HTMLInputElement} */ input) => {
        const files = new DataTransfer()
        files.items.add(new File([new Uint8Array(50 * 1024 * 1024)], 'huge.png', { type: 'image/png' }))
        input.files = files.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      })
    },
    shows: ['Invalid file', 'huge.png: File size must be less than 50MB'],
  },
  {
    row: 'Image errors: cannot be read',
    as: 'seller',
    path: '/create-listing',
    act: page => chooseFiles(page, [{ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }]),
    shows: ['Invalid file', 'broken.png: Failed to load image'],
  },
  {
    row: 'Image compression failure',
    as: 'seller',
    path: '/create-listing',
    act: async page => {
      await page.evaluate(() => {
        HTMLCanvasElement.prototype.toDataURL = () => {
          throw new Error('no memory')
        }
      })
      await chooseFiles(page, [picture(1)])
    },
    shows: ['Error compressing images', 'Failed to process images. Please try again.'],
  },
  {
    row: 'Listing missing',
    path: '/listing/999999999',
    shows: ['Listing Not Found', "The listing you're looking for doesn't exist."],
  },
  {
    row: 'User search with no result',
    as: 'seller',
    path: '/create-listing',
    act: page => page.getByRole('combobox', { name: 'Search for a user' }).fill('nobody-has-this-name'),
    shows: ['No users found matching "nobody-has-this-name"'],
  },
  {
    row: 'Transaction status update: failure',
    as: 'seller',
    path: ({ paid }) => `/transaction/${paid.id}`,
    refused: refusing('PATCH', '/api/transactions/*'),
    act: page => confirmed(page, 'Hand Over in Person'),
    shows: ['Error', 'Failed to update transaction status.'],
  },
  {
    row: 'Transaction status update: success',
    as: 'seller',
    path: ({ paid }) => `/transaction/${paid.id}`,
    act: page => confirmed(page, 'Hand Over in Person'),
    shows: ['Transaction Updated', 'Transaction status has been updated successfully.'],
  },
  {
    row: 'Dispute creation failure (dialog)',
    as: 'buyer',
    path: '/disputes',
    refused: refusing('POST', '/api/disputes'),
    act: async page => {
      await press(page, 'File New Dispute')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Transaction').selectOption({ index: 1 })
      await dialog.getByLabel('Reason').selectOption({ index: 1 })
      await dialog.getByLabel('Description').fill('Nothing came.')
      await dialog.getByRole('button', { name: /^(Submit|File)/ }).click()
    },
    shows: ['Failed to create dispute. Please try again.'],
  },
  {
    row: 'Dispute submit failure (wizard)',
    as: 'buyer',
    path: ({ shipped }) => `/file-dispute?transaction=${shipped.id}`,
    refused: refusing('POST', '/api/disputes'),
    act: async (page, { shipped }) => {
      await page.getByRole('radio', { name: shipped.listing.title }).first().check()
      await fileDispute(page)
    },
    shows: ['Error filing dispute', 'There was an error submitting your dispute. Please try again.'],
  },
  {
    row: 'Dispute missing fields',
    as: 'buyer',
    path: ({ shipped }) => `/file-dispute?transaction=${shipped.id}`,
    act: async (page, { shipped }) => {
      await page.getByRole('radio', { name: shipped.listing.title }).first().check()
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
      await page.getByLabel('Description').fill('   ')
      await page.getByRole('button', { name: 'Review', exact: true }).click()
    },
    shows: ['Missing information', 'Please fill in all required fields.', 'Choose a reason.', 'Say what happened.'],
  },
  {
    row: 'Chat message: in the words of the server',
    as: 'buyer',
    path: ({ shipped }) => `/transaction/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/messages', 409, 'The chat of this deal is closed.'),
    act: async page => {
      await page.getByRole('textbox', { name: /message/i }).fill('Hello?')
      await page.keyboard.press('Enter')
    },
    shows: ['Failed to send message', 'The chat of this deal is closed.'],
  },
  {
    row: 'Chat message',
    as: 'buyer',
    path: ({ shipped }) => `/transaction/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/messages', 400),
    act: async page => {
      await page.getByRole('textbox', { name: /message/i }).fill('Hello?')
      await page.keyboard.press('Enter')
    },
    shows: ['Failed to send message', 'Something went wrong'],
  },
  {
    row: 'Tracking: no number',
    as: 'seller',
    path: ({ toShip }) => `/item-shipped/${toShip.id}`,
    act: page => press(page, 'Save Tracking Info'),
    shows: ['Error', 'Please enter a tracking number.'],
  },
  {
    row: 'Tracking: failure',
    as: 'seller',
    path: ({ toShip }) => `/item-shipped/${toShip.id}`,
    refused: refusing('POST', '/api/transactions/*/tracking'),
    act: saveTracking,
    shows: ['Error', 'Failed to update tracking information.'],
  },
  {
    row: 'Tracking: failure, in the words of the server',
    as: 'seller',
    path: ({ toShip }) => `/item-shipped/${toShip.id}`,
    refused: refusing('POST', '/api/transactions/*/tracking', 409, 'This number belongs to another parcel.'),
    act: saveTracking,
    shows: ['Error', 'This number belongs to another parcel.'],
  },
  {
    row: 'Tracking: success',
    as: 'seller',
    path: ({ toShip }) => `/item-shipped/${toShip.id}`,
    act: saveTracking,
    shows: ['Tracking Updated', 'Tracking information has been saved successfully.'],
  },
  {
    row: 'Confirm delivery: failure',
    as: 'buyer',
    path: ({ shipped }) => `/item-shipped/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/confirm-delivery'),
    act: confirmDelivery,
    shows: ['Error', 'Failed to confirm delivery.'],
  },
  {
    row: 'Confirm delivery: failure, in the words of the server',
    as: 'buyer',
    path: ({ shipped }) => `/item-shipped/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/confirm-delivery', 409, 'The seller has refunded this deal.'),
    act: confirmDelivery,
    shows: ['Error', 'The seller has refunded this deal.'],
  },
  {
    row: 'Confirm delivery: success',
    as: 'buyer',
    path: ({ shipped }) => `/item-shipped/${shipped.id}`,
    act: confirmDelivery,
    shows: ['Delivery Confirmed', 'Item has been marked as delivered. Moving to inspection period.'],
  },
  {
    row: 'Accept: failure',
    as: 'buyer',
    path: ({ shipped }) => `/transaction/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/accept'),
    act: accept,
    shows: ['Error accepting item'],
  },
  {
    row: 'Accept: success',
    as: 'buyer',
    path: ({ shipped }) => `/transaction/${shipped.id}`,
    act: accept,
    shows: ['Item accepted', 'Transaction completed and funds released to seller'],
  },
  {
    row: 'Review: failure',
    as: 'buyer',
    path: ({ shipped }) => `/transaction/${shipped.id}`,
    refused: refusing('POST', '/api/transactions/*/review'),
    act: async page => {
      await page.getByRole('radio', { name: '4', exact: true }).check()
      await press(page, 'Publish Review')
    },
    shows: ['Error', 'Your review was not published. Please try again.'],
  },
  {
    row: 'Mark all as read: failure',
    as: 'buyer',
    path: '/messages',
    refused: refusing('POST', '/api/conversations/read', 409, 'The list is being repaired.'),
    act: async page => {
      await press(page, 'More about messages')
      await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
    },
    shows: ['Nothing was marked as read', 'The list is being repaired.'],
  },
  {
    row: 'Dispute success',
    as: 'seller',
    path: ({ toShip }) => `/file-dispute?transaction=${toShip.id}`,
    act: async (page, { toShip }) => {
      await page.getByRole('radio', { name: toShip.listing.title }).first().check()
      await fileDispute(page)
    },
    shows: ['Dispute filed successfully'],
  },
  {
    row: 'Transaction load',
    as: 'buyer',
    path: '/send-funds/999999999',
    shows: ['Transaction not found', "The transaction you're looking for doesn't exist."],
  },
  {
    row: 'Transaction load: failure',
    as: 'buyer',
    path: ({ shipped }) => `/send-funds/${shipped.id}`,
    refused: refusing('GET', '/api/transactions/*', 500),
    shows: ['Error loading transaction'],
  },
  {
    row: 'Profile: failure',
    as: 'other',
    path: '/profile',
    refused: refusing('PUT', '/api/profile'),
    act: saveProfile,
    shows: ['Update Failed', 'Failed to update profile. Please try again.'],
  },
  {
    row: 'Profile: success',
    as: 'other',
    path: '/profile',
    act: saveProfile,
    shows: ['Profile Updated'],
  },
  {
    row: 'Notification settings: failure',
    as: 'other',
    path: '/profile',
    refused: refusing('PUT', '/api/notifications/settings'),
    act: switchMessages,
    shows: ['Update Failed', 'Failed to update notification settings.'],
  },
  {
    row: 'Notification settings: success',
    as: 'other',
    path: '/profile',
    act: switchMessages,
    shows: ['Notification Settings Updated'],
  },
  {
    row: 'Enterprise: failure',
    path: '/enterprise',
    refused: refusing('POST', '/api/enterprise-contact', 429),
    act: askForPrice,
    shows: ['Error', 'Failed to submit request. Please try again.'],
  },
  {
    row: 'Enterprise: success',
    path: '/enterprise',
    act: askForPrice,
    shows: ['Request Submitted', 'Our enterprise team will contact you within 24 hours.', 'Back to Plans'],
  },
  {
    row: 'Subscription init failure',
    as: 'other',
    path: '/subscribe',
    refused: refusing('POST', '/api/create-subscription', 503),
    shows: ['Error', 'Failed to initialize subscription. Please try again.', 'Unable to Process Subscription'],
  },
  {
    row: 'Subscription payment: failure',
    as: 'other',
    path: '/subscribe',
    act: page => payWith(page, DECLINED_CARD),
    shows: ['Payment Failed'],
  },
  {
    row: 'Subscription payment: success',
    as: 'other',
    path: '/subscribe',
    act: page => payWith(page, GOOD_CARD),
    shows: ['Welcome to Premium!'],
  },
  {
    row: 'Unknown route',
    path: '/no-such-page',
    shows: ['Page Not Found', "The page you're looking for doesn't exist or has been moved."],
  },
  {
    row: 'Logout failure',
    as: 'other',
    path: '/dashboard',
    refused: refusing('POST', '/api/auth/logout', 500),
    act: async page => {
      await press(page, /account|menu for/i)
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL(url => url.pathname === '/')
    },
    shows: ['Sign Up Now', 'This browser is not signed out yet'],
  },
  {
    row: 'Invitation load: not found',
    as: 'other',
    path: '/invitation/none',
    refused: refusing('GET', '/api/invitation/*', 404),
    shows: ['Invitation Not Available', 'Invitation not found'],
  },
  {
    row: 'Invitation load: expired',
    as: 'other',
    path: '/invitation/none',
    refused: refusing('GET', '/api/invitation/*', 410),
    shows: ['Invitation has expired'],
  },
  {
    row: 'Invitation load: another failure',
    as: 'other',
    path: '/invitation/none',
    refused: refusing('GET', '/api/invitation/*', 403),
    shows: ['Failed to load invitation'],
  },
  {
    row: 'Invitation accept: failure',
    as: 'other',
    path: ({ invitation }) => `/invitation/${invitation.token}`,
    refused: refusing('POST', '/api/invitation/*/accept'),
    act: page => press(page, 'Accept Invitation'),
    shows: ['Failed to accept invitation. Please try again.'],
  },
  {
    row: 'Invitation accept: success',
    as: 'other',
    path: ({ invitation }) => `/invitation/${invitation.token}`,
    act: page => press(page, 'Accept Invitation'),
    shows: ['Invitation Accepted'],
  },
]

/**
 * One of up to 21 pictures whose colours stay different as JPEG. Of two equal ones the page says "Image chosen twice", which would replace the
 * toast that a row waits for.
 */
function picture(index) {
  return { name: `picture-${index}.png`, mimeType: 'image/png', buffer: png(8, 8, [index * 12, 90, 90]) }
}

async function chooseFiles(page, files) {
  await press(page, 'Skip This Step')
  await page.locator('input[type=file]').setInputFiles(files)
}

async function createListing(page) {
  await press(page, 'Skip This Step')
  await fillItem(page, {
    title: 'A sextant',
    description: 'It works.',
    price: '120',
    category: 'Other',
    condition: 'Good',
  })
  await press(page, 'Continue to Legal Documents')
  await signAndCreate(page, 'Sam Tester')
}

/** Presses a command's button and then the button of the question that it asks. */
async function confirmed(page, name) {
  await press(page, name)
  await page.getByRole('alertdialog').getByRole('button').last().click()
}

async function fileDispute(page) {
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Reason').selectOption({ index: 1 })
  await page.getByLabel('Description').fill('It does not work.')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await press(page, 'Submit Dispute')
}

async function saveTracking(page) {
  await page.getByLabel(/^Tracking Number/).fill(trackingNumber())
  await press(page, 'Save Tracking Info')
}

function confirmDelivery(page) {
  return press(page, 'Mark as Delivered')
}

function accept(page) {
  return confirmed(page, 'Accept Item')
}

async function askForPrice(page) {
  await fill(page, {
    'First Name': 'Bo',
    'Last Name': 'Lund',
    'Work Email': 'bo.lund@example.com',
    Company: 'Lund & Co',
    'Job Title': 'CFO',
    'What you need': 'We sell boats, many boats.',
  })
  await page.getByLabel('Company Size').selectOption('50-99')
  await page.getByLabel('Monthly Volume').selectOption('$10M+')
  await press(page, 'Submit Request')
}

function switchMessages(page) {
  return page.getByRole('switch', { name: 'Messages' }).click()
}

async function saveProfile(page) {
  await page.getByLabel('Last Name').fill('Renamed')
  await press(page, 'Save Changes')
}

async function submitDocuments(page) {
  await chooseDocuments(page)
  await press(page, 'Submit for Verification')
}
