import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, noAnswer, refusal } from '../../../test/fake-server.js'
import { createdListing } from '../../../test/listings.js'
import { ana, ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { Protected } from '../../app/protected.js'
import CreateListingPage from './create-listing-page.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const open = () =>
  show(
    <Protected>
      <CreateListingPage />
    </Protected>,
    '/create-listing',
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value

async function fillDetails() {
  await press('Skip This Step')
  await typeDetails()
}

async function typeDetails() {
  await userEvent.type(await screen.findByLabelText('Title'), 'Chair')
  await userEvent.type(screen.getByLabelText('Description'), 'Oak')
  await userEvent.type(screen.getByLabelText('Price (USD)'), '12.50')
  await userEvent.selectOptions(screen.getByLabelText('Category'), 'Art')
  await userEvent.selectOptions(screen.getByLabelText('Condition'), 'Good')
}

async function sign() {
  await press('Continue to Legal Documents')
  for (const box of await screen.findAllByRole('checkbox', { name: /I have read/ })) await userEvent.click(box)
  await userEvent.type(screen.getByLabelText('Digital Signature'), 'Ben Okafor')
}

describe('what was typed', () => {
  test('is there again after the page was left, and gone after Start Over', async () => {
    fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
    open()
    await fillDetails()
    cleanup()
    open()
    expect(await screen.findByText('Your draft is still here')).toBeTruthy()
    await press('Skip This Step')
    expect(typedIn('Title')).toBe('Chair')
    await press('Start Over')
    expect(screen.queryByText('Your draft is still here')).toBeNull()
    await press('Skip This Step')
    await waitFor(() => expect(typedIn('Title')).toBe(''))
  })

  test('is offered until it is kept or changed', async () => {
    fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
    const notice = () => screen.queryByText('Your draft is still here')
    const openAgain = async () => {
      cleanup()
      open()
      expect(await screen.findByText('Your draft is still here')).toBeTruthy()
    }
    open()
    await fillDetails()
    await openAgain()
    await press('Keep Draft')
    expect(notice()).toBeNull()
    await openAgain()
    await press('Skip This Step')
    await userEvent.type(screen.getByLabelText('Title'), 's')
    expect(notice()).toBeNull()
  })

  test('outlives a session that ended before it was sent', async () => {
    let signedIn = true
    const whoAmI = () => (signedIn ? { body: ben } : refusal('UNAUTHENTICATED'))
    fakeServer({
      'GET /api/auth/user': whoAmI,
      'POST /api/listings': () => {
        signedIn = false
        return refusal('UNAUTHENTICATED')
      },
      'POST /api/auth/signin': () => {
        signedIn = true
        return { body: { user: ben } }
      },
    })
    open()
    await fillDetails()
    await sign()
    await press('Create Transaction')
    expect(await screen.findByText('You have been signed out')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Email'), 'ben@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'a password')
    await userEvent.click(screen.getAllByRole('button', { name: 'Sign In' }).at(-1) as HTMLElement)
    expect(await screen.findByRole('heading', { name: 'Legal Documents' })).toBeTruthy()
    expect(typedIn('Digital Signature')).toBe('Ben Okafor')
  })

  test('is not kept once it was sent: the next listing begins empty', async () => {
    fakeServer({
      'GET /api/auth/user': () => ({ body: ben }),
      'POST /api/listings': () => ({ status: 201, body: createdListing }),
    })
    open()
    await fillDetails()
    await sign()
    await press('Create Transaction')
    await screen.findByText('At /dashboard')
    cleanup()
    open()
    await press('Skip This Step')
    expect(typedIn('Title')).toBe('')
  })
})

test('a private listing without a chosen person says who sees and buys it', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  open()
  await press('Skip This Step')
  await userEvent.click(await screen.findByRole('switch', { name: /^Private/ }))
  const hint = 'Only you and people whom you invite on its page see it, and they can buy it.'
  expect(screen.getByText(hint)).toBeTruthy()
})

test('a draft that is sent again is the same listing; one that was changed is another', async () => {
  const sent: { key: string | null; body: unknown }[] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/listings': ({ headers, body }) => {
      sent.push({ key: headers.get('idempotency-key'), body })
      return sent.length < 3 ? refusal('UNAVAILABLE', 'Not now.') : { status: 201, body: createdListing }
    },
  })
  open()
  await fillDetails()
  await sign()
  for (let time = 1; time <= 2; time++) {
    await press('Create Transaction')
    await waitFor(() => expect(sent).toHaveLength(time))
    await screen.findByText(/Not now\./)
  }
  expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  expect(sent[1]).toEqual(sent[0])
  await userEvent.type(screen.getByLabelText('Digital Signature'), ' Jr')
  await press('Create Transaction')
  await screen.findByText('At /dashboard')
  expect(sent[2]?.key).not.toBe(sent[0]?.key)
})

test('a draft whose answer was lost is still the same listing after a look at the dashboard', async () => {
  const sent: { key: string | null; body: unknown }[] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/listings': ({ headers, body }) => {
      sent.push({ key: headers.get('idempotency-key'), body })
      return sent.length === 1 ? noAnswer() : { status: 201, body: createdListing }
    },
  })
  open()
  await fillDetails()
  await sign()
  await press('Create Transaction')
  expect(await screen.findByText(/Look at your dashboard/)).toBeTruthy()
  cleanup()
  open()
  await press('Skip This Step')
  await userEvent.click(await screen.findByLabelText('Title'))
  await press('Continue to Legal Documents')
  await press('Create Transaction')
  await screen.findByText('At /dashboard')
  expect(sent[1]).toEqual(sent[0])
})

test('an offer to a person whose transaction could not be opened yet does not wait for a buyer', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/users/search': () => ({ body: [ana] }),
    'POST /api/listings': () => ({ status: 201, body: { ...createdListing, isPrivate: true } }),
  })
  open()
  await userEvent.type(await screen.findByLabelText('Search for a user'), 'ana')
  await userEvent.click(await screen.findByRole('option', { name: /Ana Ruiz/ }))
  await press('Continue')
  await typeDetails()
  await sign()
  await press('Create Transaction')
  expect(await screen.findByText(/It opens by itself/)).toBeTruthy()
  expect(screen.queryByText(/when a buyer buys it/)).toBeNull()
})

test('each side signs for what it can answer for', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/users/search': () => ({ body: [ana] }),
  })
  open()
  await userEvent.type(await screen.findByLabelText('Search for a user'), 'ana')
  await userEvent.click(await screen.findByRole('option', { name: /Ana Ruiz/ }))
  await press('Continue')
  await typeDetails()
  await press('Continue to Legal Documents')
  expect(await screen.findByText(/may lawfully sell it/)).toBeTruthy()
  await press('Back to Details')
  await userEvent.click(screen.getByLabelText('Buyer'))
  await press('Continue to Legal Documents')
  expect(await screen.findByText(/may lawfully buy it/)).toBeTruthy()
  expect(screen.queryByText(/may lawfully sell it/)).toBeNull()
})

test('a chosen user cannot be skipped by mistake', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/users/search': () => ({ body: [ana] }),
  })
  open()
  await userEvent.type(await screen.findByLabelText('Search for a user'), 'ana')
  expect(screen.getByRole('button', { name: 'Skip This Step' })).toBeTruthy()
  await userEvent.click(await screen.findByRole('option', { name: /Ana Ruiz/ }))
  expect(screen.getByRole('button', { name: 'Continue' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Skip This Step' })).toBeNull()
})

test('a field that is put right is not called wrong any longer', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  open()
  await press('Skip This Step')
  await press('Continue to Legal Documents')
  expect(await screen.findByText('Enter a title')).toBeTruthy()
  await userEvent.type(await screen.findByLabelText('Title'), 'Chair')
  expect(screen.queryByText('Enter a title')).toBeNull()
  expect(screen.getByText('Enter a description')).toBeTruthy()
})

test('what the server refuses stands at its field, on the step that has it', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/listings': () => refusal('VALIDATION_FAILED', undefined, { fields: { title: 'Too rude' } }),
  })
  open()
  await fillDetails()
  await sign()
  await press('Create Transaction')
  expect(await screen.findByRole('heading', { name: 'Details' })).toBeTruthy()
  expect(screen.getByText('Too rude')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Title')))
  await userEvent.type(screen.getByLabelText('Title'), '!')
  expect(screen.queryByText('Too rude')).toBeNull()
})

test('a price with letters is called a wrong price, not a missing one', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  open()
  await fillDetails()
  await userEvent.type(screen.getByLabelText('Price (USD)'), 'abc')
  await press('Continue to Legal Documents')
  expect(await screen.findByText(/^Write the amount like 3,000.00/)).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Price (USD)')))
})

test('a buyer without a seller is led to the choice of the role', async () => {
  fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
  open()
  await fillDetails()
  await userEvent.click(screen.getByLabelText('Buyer'))
  await press('Continue to Legal Documents')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Buyer')))
  await press('Choose the Seller')
  expect(await screen.findByLabelText('Search for a user')).toBeTruthy()
})

test('without an answer it does not say that nothing was created', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'POST /api/listings': noAnswer,
  })
  open()
  await fillDetails()
  await sign()
  await press('Create Transaction')
  expect((await screen.findAllByText('We could not tell whether the transaction was created.')).length).toBe(2)
  expect(screen.queryByText(/Nothing was created/)).toBeNull()
})

test('who has not confirmed their address reads why an offer is refused, and can have the link mailed again', async () => {
  const refused = refusal('EMAIL_NOT_CONFIRMED', 'Until you confirm your e-mail address, you can make 3 offers a day.')
  fakeServer({
    'GET /api/auth/user': () => ({ body: { ...ben, emailConfirmed: false } }),
    'POST /api/listings': () => refused,
    'POST /api/auth/verify-email/send': () => ({ status: 204 }),
  })
  open()
  await fillDetails()
  await sign()
  await press('Create Transaction')
  expect(await screen.findByText(/you can make 3 offers a day/)).toBeTruthy()
  await press('Send the Link Again')
  expect(await screen.findByText('Look into the mailbox of ben@example.com.')).toBeTruthy()
})

describe('pictures', () => {
  const original = globalThis.createImageBitmap
  beforeEach(() => {
    // jsdom neither reads pictures nor draws.
    globalThis.createImageBitmap = jest.fn(async (file: File) => {
      if (file.name === 'notes.jpg') throw new DOMException('The source image could not be decoded.')
      return { width: 1200, height: 800, close: () => undefined }
    }) as unknown as typeof createImageBitmap
    const pen = { fillRect: () => undefined, drawImage: () => undefined }
    jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never)
    jest.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/jpeg;base64,AAAA')
  })
  afterEach(() => {
    globalThis.createImageBitmap = original
    jest.restoreAllMocks()
  })

  test('a file that only calls itself one is refused by name, and the others are taken', async () => {
    fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
    open()
    await press('Skip This Step')
    const files = ['a.jpg', 'notes.jpg', 'b.jpg'].map(name => new File(['x'], name, { type: 'image/jpeg' }))
    await userEvent.upload(screen.getByLabelText(/Add Images/), files)
    await waitFor(() => expect(screen.getAllByRole('button', { name: /Remove image/ })).toHaveLength(2))
    expect(screen.getAllByText('notes.jpg: Failed to load image').length).toBeGreaterThan(0)
  })

  test('the same one chosen twice is taken, and the form says so', async () => {
    fakeServer({ 'GET /api/auth/user': () => ({ body: ben }) })
    open()
    await press('Skip This Step')
    const file = new File(['x'], 'a.jpg', { type: 'image/jpeg' })
    await userEvent.upload(screen.getByLabelText(/Add Images/), [file])
    await waitFor(() => expect(screen.getAllByRole('button', { name: /Remove image/ })).toHaveLength(1))
    expect(screen.queryByText(/chosen twice/)).toBeNull()
    await userEvent.upload(screen.getByLabelText(/Add Images/), [file])
    expect((await screen.findAllByText(/^a\.jpg: This image is chosen twice/)).length).toBeGreaterThan(0)
    expect(screen.getAllByRole('button', { name: /Remove image/ })).toHaveLength(2)
  })
})
