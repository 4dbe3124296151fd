import type { Listing } from '@holdfast/contracts/listings'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { chair } from '../../../test/listings.js'
import { anaSignedIn } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { transaction } from '../../../test/transactions.js'
import ListingPage from './listing-page.js'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

/** A server that keeps one listing, with a version in its tag, as listing-svc does; `changes` notes what came. */
function serveListing(start: Listing = chair) {
  const server = { listing: start, version: 1, changes: [] as unknown[], isUnsigned: false }
  const { calls } = fakeServer({
    'GET /api/auth/user': () => ({ body: anaSignedIn }),
    'GET /api/transactions': () => ({
      body: [transaction({ viewerRole: 'seller', status: server.listing.status === 'sold' ? 'completed' : 'pending' })],
    }),
    'GET /api/listings/7': () => ({ body: server.listing, headers: { etag: `"${server.version}-1"` } }),
    'PATCH /api/listings/7': ({ body, headers }) => {
      const tag = headers.get('if-match')
      if (server.listing.status === 'reserved') {
        return refusal('LISTING_IN_DEAL')
      }
      if (tag !== null && tag !== `"${server.version}-1"`)
        return refusal('CONFLICT', 'The listing was changed meanwhile.')
      const { digitalSignature, ...change } = body as Partial<Listing> & { digitalSignature?: string }
      const terms = Object.entries(change).filter(([field]) => field !== 'status' && field !== 'isPrivate')
      const isChanged = terms.some(([field, value]) => server.listing[field as keyof Listing] !== value)
      if ((isChanged || server.isUnsigned) && !digitalSignature)
        return refusal('VALIDATION_FAILED', 'Check the fields.', {
          fields: { digitalSignature: 'Type your full legal name' },
        })
      server.changes.push(body)
      server.listing = { ...server.listing, ...change }
      server.version += 1
      return { body: server.listing }
    },
  })
  show(<ListingPage />, '/listing/7', '/listing/:id')
  return Object.assign(server, { calls })
}

/** Another session of the owner changes it meanwhile. */
function changeElsewhere(server: ReturnType<typeof serveListing>, change: Partial<Listing>) {
  server.listing = { ...server.listing, ...change }
  server.version += 1
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

async function openForm() {
  await press('Edit')
  return within(await screen.findByRole('dialog', { name: 'Edit Listing' }))
}

/** Signs what was changed. */
async function sign() {
  for (const agreement of await screen.findAllByRole('checkbox')) await userEvent.click(agreement)
  await userEvent.type(screen.getByLabelText('Digital Signature'), 'Ana Costa')
}

async function typePrice(price: string) {
  await userEvent.clear(screen.getByLabelText('Price (USD)'))
  await userEvent.type(screen.getByLabelText('Price (USD)'), price)
}

describe('taking a listing off sale', () => {
  test('is asked about, done, and can be undone', async () => {
    const server = serveListing()
    expect(await screen.findByText('It is on sale: everybody can find it and buy it.')).toBeTruthy()
    await press('Take off Sale')
    const question = within(await screen.findByRole('dialog', { name: 'Take this listing off sale?' }))
    expect(server.changes).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'Take off Sale' }))
    expect(await screen.findByText('It is off sale: it cannot be bought until you offer it again.')).toBeTruthy()
    await press('Offer Again')
    expect(await screen.findByText('It is on sale: everybody can find it and buy it.')).toBeTruthy()
    expect(server.changes).toEqual([{ status: 'inactive' }, { status: 'active' }])
    // For the keyboard it is one button all the while.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Take off Sale' })))
  })

  test('is not undone for a listing that its seller has not signed, and says what to do', async () => {
    const server = serveListing({ ...chair, status: 'inactive' })
    server.isUnsigned = true
    await press('Offer Again')
    expect(await screen.findByText('You have not signed this listing')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'List as New' })).toBeTruthy()
    expect(server.changes).toEqual([])
  })

  test('is not done when one goes back', async () => {
    const server = serveListing()
    await press('Take off Sale')
    await press('Go Back')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.changes).toEqual([])
  })

  test('says when a buyer was faster, and shows the transaction', async () => {
    const server = serveListing()
    await press('Take off Sale')
    changeElsewhere(server, { status: 'reserved' })
    const question = within(await screen.findByRole('dialog'))
    await userEvent.click(question.getByRole('button', { name: 'Take off Sale' }))
    expect(await screen.findByText('This listing is part of a live transaction.')).toBeTruthy()
    expect((await screen.findByRole('link', { name: 'View Transaction' })).getAttribute('href')).toBe('/transaction/42')
  })
})

test.each([
  ['reserved', 'A transaction holds it. While that is open, it can neither be changed nor be taken off sale.'],
  ['sold', 'It is sold, and stays as it was agreed.'],
] as const)('a listing that is %s offers its owner the transaction and no change', async (status, words) => {
  serveListing({ ...chair, status })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'View Transaction' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Take off Sale' })).toBeNull()
})

describe('editing a listing', () => {
  test('begins with what it says, and saves what was typed', async () => {
    const server = serveListing()
    const form = await openForm()
    expect(form.getByLabelText<HTMLInputElement>('Title').value).toBe('Oak chair')
    await typePrice('1100')
    await userEvent.type(form.getByLabelText('Location (optional)'), 'Lisbon')
    await sign()
    await press('Save Changes')
    expect(await screen.findByText('Listing saved')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit' })))
    expect(server.changes).toEqual([
      {
        title: 'Oak chair',
        description: 'Sturdy',
        price: '1100.00',
        category: 'Home & Garden',
        condition: 'Good',
        location: 'Lisbon',
        inspectionPeriod: 3,
        returnPolicy: 'no-returns',
        digitalSignature: 'Ana Costa',
      },
    ])
  })

  test('asks for a signature once something was changed, and sends nothing without it', async () => {
    const server = serveListing()
    const form = await openForm()
    expect(form.queryByLabelText('Digital Signature')).toBeNull()
    await typePrice('1100')
    expect(form.getByText('Sign what you have changed')).toBeTruthy()
    await press('Save Changes')
    expect(form.getByText('Accept the three agreements and type your full legal name')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Digital Signature')))
    expect(server.changes).toEqual([])
    await sign()
    await press('Save Changes')
    await waitFor(() => expect(server.changes).toMatchObject([{ price: '1100.00', digitalSignature: 'Ana Costa' }]))
  })

  test('needs no signature when nothing was changed, and no draft keeps one', async () => {
    const server = serveListing()
    await openForm()
    await typePrice('1100')
    await sign()
    await userEvent.keyboard('{Escape}')
    const again = await openForm()
    expect(again.getByLabelText<HTMLInputElement>('Price (USD)').value).toBe('1100')
    expect(again.getByLabelText<HTMLInputElement>('Digital Signature').value).toBe('')
    await typePrice('1240.00')
    expect(again.queryByLabelText('Digital Signature')).toBeNull()
    await press('Save Changes')
    await waitFor(() => expect(server.changes).toHaveLength(1))
    expect(server.changes[0]).not.toHaveProperty('digitalSignature')
  })

  test('shows what is missing at its field and sends nothing', async () => {
    const server = serveListing()
    const form = await openForm()
    await userEvent.clear(form.getByLabelText('Title'))
    await press('Save Changes')
    expect(form.getByText('Enter a title')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText('Title')))
    expect(server.changes).toEqual([])
  })

  test('keeps what was typed when the form is closed by mistake, and drops it with Cancel', async () => {
    serveListing()
    await openForm()
    await typePrice('900')
    await userEvent.keyboard('{Escape}')
    const again = await openForm()
    expect(again.getByText('Your changes are still here')).toBeTruthy()
    expect(again.getByLabelText<HTMLInputElement>('Price (USD)').value).toBe('900')
    await press('Cancel')
    const afresh = await openForm()
    expect(afresh.queryByText('Your changes are still here')).toBeNull()
    expect(afresh.getByLabelText<HTMLInputElement>('Price (USD)').value).toBe('1240.00')
  })

  describe('that was changed meanwhile', () => {
    async function meetConflict() {
      const server = serveListing()
      const form = await openForm()
      await typePrice('1100')
      await sign()
      changeElsewhere(server, { title: 'Oak armchair' })
      await press('Save Changes')
      expect(await form.findByText('The listing was changed meanwhile')).toBeTruthy()
      expect(server.changes).toEqual([])
      return { server, form }
    }

    test('overwrites nothing: it can start from what the listing says now', async () => {
      const { server, form } = await meetConflict()
      await press('Start from What It Says Now')
      await waitFor(() => expect(form.getByLabelText<HTMLInputElement>('Title').value).toBe('Oak armchair'))
      expect(Number(form.getByLabelText<HTMLInputElement>('Price (USD)').value)).toBe(1240)
      expect(form.queryByLabelText('Digital Signature')).toBeNull()
      await typePrice('1000')
      await sign()
      await press('Save Changes')
      await waitFor(() => expect(server.changes).toMatchObject([{ title: 'Oak armchair', price: '1000.00' }]))
    })

    test('saves over it when that is wanted', async () => {
      const { server } = await meetConflict()
      await press('Save Mine over It')
      await waitFor(() => expect(server.changes).toMatchObject([{ title: 'Oak chair', price: '1100.00' }]))
    })
  })

  test('says that a transaction holds the listing now, and that what was typed is there', async () => {
    const server = serveListing()
    const form = await openForm()
    await typePrice('1100')
    await sign()
    changeElsewhere(server, { status: 'reserved' })
    await press('Save Changes')
    expect(await form.findByText('This listing is part of a live transaction.')).toBeTruthy()
    expect(form.getByLabelText<HTMLInputElement>('Price (USD)').value).toBe('1100')
  })
})
