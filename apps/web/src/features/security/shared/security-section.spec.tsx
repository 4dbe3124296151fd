import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../../test/fake-server.js'
import { ben } from '../../../../test/people.js'
import { show } from '../../../../test/show.js'
import { AdminOnly } from '../../../app/admin-only.js'
import { setNeedsSecondFactor } from '../../../lib/admin-second-factor.js'
import { request } from '../../../lib/api.js'
import SecuritySection from './security-section.js'

afterEach(() => {
  cleanup()
  setNeedsSecondFactor(false)
})

const NOTHING: SecondFactorState = { authenticator: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false }
const APP: SecondFactorState = {
  ...NOTHING,
  authenticator: { addedAt: '2026-11-20T10:00:00.000Z' },
  recoveryCodesLeft: 10,
}
const CODES = Array.from({ length: 10 }, (_, n) => `AAAA-BBBB-CCCC-DDD${n}`)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('an app is set up after its first code, and the recovery codes are shown once', async () => {
  let state = NOTHING
  fakeServer({
    'GET /api/auth/second-factor': () => ({ body: state }),
    'POST /api/auth/second-factor/authenticator': () => ({
      body: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/Holdfast:ben?secret=ABCDEFGHIJKLMNOP' },
    }),
    'POST /api/auth/second-factor/authenticator/confirm': ({ body }) => {
      expect(body).toEqual({ code: '123456' })
      state = APP
      return { body: { recoveryCodes: CODES } }
    },
  })
  show(<SecuritySection />, '/profile')
  expect(await screen.findByText('Your password alone opens your account')).toBeTruthy()
  await press('Set Up App')
  expect(await screen.findByText('ABCD EFGH IJKL MNOP')).toBeTruthy()
  expect(screen.getByRole('img', { name: 'QR code for your authenticator app' })).toBeTruthy()
  await userEvent.type(screen.getByLabelText('2. Enter the code that the app shows'), '123456{Enter}')
  expect(await screen.findByText(CODES[9]!)).toBeTruthy()
  await press('I Have Kept Them')
  expect(await screen.findByText('Two steps protect your account')).toBeTruthy()
  expect(screen.queryByText(CODES[0]!)).toBeNull()
})

test('a change waits until the person has confirmed who they are, and then is made', async () => {
  let [state, isConfirmed] = [APP, false]
  const { calls } = fakeServer({
    'GET /api/auth/second-factor': () => ({ body: state }),
    'POST /api/auth/confirm': ({ body }) => {
      const { password } = body as { password: string }
      isConfirmed = password === 'right'
      return isConfirmed
        ? { status: 204 }
        : refusal('VALIDATION_FAILED', undefined, { fields: { password: 'This is not your password' } })
    },
    'DELETE /api/auth/second-factor/authenticator': () => {
      if (!isConfirmed) return refusal('CONFIRMATION_REQUIRED', undefined, { methods: ['password'] })
      state = NOTHING
      return { status: 204 }
    },
  })
  show(<SecuritySection />, '/profile')
  await press('Remove App')
  expect(await screen.findByText(/It is your last one/)).toBeTruthy()
  await userEvent.click(screen.getAllByRole('button', { name: 'Remove App' }).at(-1)!)
  await userEvent.type(await screen.findByLabelText('Password'), 'wrong{Enter}')
  expect(await screen.findByText('This is not your password')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('Password'))
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}')
  expect(await screen.findByText('Your password alone opens your account')).toBeTruthy()
  expect(calls.filter(call => call.startsWith('DELETE'))).toHaveLength(2)
})

test('an admin whom the server refuses for the lack of one sets it up in place of the page', async () => {
  const audit = { method: 'GET', path: '/api/admin/audit', access: 'admin' } as const
  fakeServer({
    'GET /api/auth/user': () => ({ body: { ...ben, role: 'admin' } }),
    'GET /api/admin/audit': () => refusal('ADMIN_NEEDS_SECOND_FACTOR'),
    'GET /api/auth/second-factor': () => ({ body: { ...NOTHING, isRequired: true } }),
  })
  show(
    <AdminOnly>
      <p>The console</p>
    </AdminOnly>,
    '/admin',
  )
  expect(await screen.findByText('The console')).toBeTruthy()
  await expect(request(audit, {})).rejects.toThrow()
  expect(await screen.findByRole('heading', { name: 'Set up your second factor' })).toBeTruthy()
  expect(screen.queryByText('The console')).toBeNull()
  expect(await screen.findByText('As an admin you need a second factor. Set up one of these.')).toBeTruthy()
})
