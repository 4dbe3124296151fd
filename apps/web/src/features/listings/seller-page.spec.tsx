import type { SellerProfile } from '@holdfast/contracts/reviews'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { chair } from '../../../test/listings.js'
import { ana, anaSignedIn } from '../../../test/people.js'
import { forgetAnswers, show } from '../../../test/show.js'
import SellerPage from './seller-page.js'

const profile: SellerProfile = { ...ana, memberSince: '2026-01-01T00:00:00.000Z', completedDeals: 0, reviewCount: 0 }

beforeEach(forgetAnswers)

test('an owner is not told that nothing is for sale while the list goes on, and sees what others see', async () => {
  const statuses: string[][] = []
  fakeServer({
    'GET /api/auth/user': () => ({ body: anaSignedIn }),
    'GET /api/sellers/ana': () => ({ body: profile }),
    [`GET /api/users/${ana.id}/reviews`]: () => ({ body: [] }),
    'GET /api/listings': ({ query }) => {
      statuses.push(query.getAll('status'))
      if (query.has('before')) return { body: [chair] }
      const link = `</api/listings?sellerId=${ana.id}&status=active&before=8>; rel="next"`
      return { body: [{ ...chair, id: 8, title: 'Secret lamp', isPrivate: true }], headers: { link } }
    },
  })
  show(<SellerPage />, '/seller/ana', '/seller/:username')
  const more = await screen.findByRole('button', { name: 'Show more' })
  expect(screen.queryByText('Nothing is for sale at the moment.')).toBeNull()
  await waitFor(() => expect(statuses.at(-1)).toEqual(['active']))
  await userEvent.click(more)
  expect(await screen.findByText(chair.title)).toBeTruthy()
  expect(screen.queryByText('Secret lamp')).toBeNull()
})
