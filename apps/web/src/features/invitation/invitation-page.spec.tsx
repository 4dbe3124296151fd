import type { Invitation } from '@holdfast/contracts/invitations'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { chair } from '../../../test/listings.js'
import { ben } from '../../../test/people.js'
import { forgetAnswers, show } from '../../../test/show.js'
import InvitationPage from './invitation-page.js'

beforeEach(async () => {
  await forgetAnswers()
  Object.assign(window, { scrollTo: jest.fn() })
  jest.useFakeTimers()
})
afterEach(() => {
  cleanup()
  jest.useRealTimers()
})

const invitation: Invitation = {
  message: null,
  expiresAt: '2099-12-01T10:00:00.000Z',
  inviteeEmail: null,
  listing: { ...chair, isPrivate: true },
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))

test('an accepted invitation says so for two seconds, and then leads to the listing', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/invitation/secret': () => ({ body: invitation }),
    'POST /api/invitation/secret/accept': () => ({ body: { listingId: 7 } }),
  })
  show(<InvitationPage />, '/invitation/secret', '/invitation/:token')
  await pass(500)
  fireEvent.click(screen.getByRole('button', { name: 'Accept Invitation' }))
  await pass(0)
  expect(screen.getAllByText('Invitation Accepted').length).toBeGreaterThan(0)
  await pass(1_900)
  expect(screen.queryByText('At /listing/7')).toBeNull()
  await pass(100)
  expect(screen.getByText('At /listing/7')).toBeTruthy()
})

test('an invitation that somebody else has accepted meanwhile is not offered any longer', async () => {
  let hasEnded = false
  const answer = () => (hasEnded ? refusal('INVITATION_ENDED') : { body: invitation })
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/invitation/secret': answer,
    'POST /api/invitation/secret/accept': () => refusal('INVITATION_ENDED'),
  })
  show(<InvitationPage />, '/invitation/secret', '/invitation/:token')
  await pass(500)
  hasEnded = true
  fireEvent.click(screen.getByRole('button', { name: 'Accept Invitation' }))
  await pass(500)
  expect(screen.getByText('Invitation Not Available')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Accept Invitation' })).toBeNull()
})
