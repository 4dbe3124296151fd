import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { show } from '../../../test/show.js'
import { ExportForm } from './export-form.js'

afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

const EXPORTS = 'POST /api/account/exports'
const press = () => userEvent.click(screen.getByRole('button', { name: 'Export My Data' }))

test('makes an address with the password, and downloads from it', async () => {
  const downloads: string[] = []
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloads.push(this.getAttribute('href') ?? '')
  })
  const sent: unknown[] = []
  fakeServer({
    [EXPORTS]: ({ body }) => {
      sent.push(body)
      return { status: 201, body: { token: 'abc-123', expiresAt: '2026-11-22T10:00:00.000Z' } }
    },
  })
  const onDone = jest.fn()
  show(<ExportForm onDone={onDone} />)
  await userEvent.type(screen.getByLabelText(/^Your Password/), 'correct horse battery')
  await press()
  expect(await screen.findByText('Your download begins')).toBeTruthy()
  expect(sent).toEqual([{ currentPassword: 'correct horse battery' }])
  expect(downloads).toEqual(['/api/account/exports/abc-123'])
  expect(onDone).toHaveBeenCalledTimes(1)
})

test('asks a person who signed in long ago to confirm who they are, and then goes on', async () => {
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  let isConfirmed = false
  fakeServer({
    [EXPORTS]: () =>
      isConfirmed
        ? { status: 201, body: { token: 'abc-123', expiresAt: '2026-11-22T10:00:00.000Z' } }
        : refusal('CONFIRMATION_REQUIRED', undefined, { methods: ['authenticator'] }),
    'POST /api/auth/confirm': ({ body }) => {
      expect(body).toEqual({ code: '123456' })
      isConfirmed = true
      return { status: 204 }
    },
  })
  show(<ExportForm onDone={() => undefined} />)
  await press()
  await userEvent.type(await screen.findByLabelText(/^Code/), '123456')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('Your download begins')).toBeTruthy()
  expect(screen.queryByText('Your data were not exported')).toBeNull()
})

test('shows a wrong password at its field, and says what a person from a provider does', async () => {
  const words = 'This is not your password'
  const refusals = [
    refusal('VALIDATION_FAILED', undefined, { fields: { currentPassword: words } }),
    refusal('SIGN_IN_AGAIN'),
  ]
  fakeServer({ [EXPORTS]: () => refusals.shift()! })
  show(<ExportForm onDone={() => undefined} />)
  await userEvent.type(screen.getByLabelText(/^Your Password/), 'wrong')
  await press()
  expect(await screen.findByText(words)).toBeTruthy()
  await userEvent.clear(screen.getByLabelText(/^Your Password/))
  await press()
  expect(await screen.findByText(/Please sign in again at your provider/)).toBeTruthy()
})
