import type { ReviewRecord } from '@holdfast/contracts/reviews'
import { PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const gateway = new RunningGateway()
beforeAll(() => gateway.start())
afterAll(() => gateway.stop())

test('the reviews of a user name their authors, for visitors, too, and a full page has the link to the next', async () => {
  const { services } = gateway
  const [ana, userId] = [aPerson('Ana'), newId()]
  const { authorId, ...review }: ReviewRecord = {
    ...{
      id: newId(),
      authorId: ana.id,
      authorRole: 'buyer',
      rating: 5,
      text: 'Fast',
      createdAt: '2026-11-21T10:00:00.000Z',
    },
  }
  answerPeople(services, [ana])
  services.on('escrow-svc', 'POST', '/internal/reviews/list', () => [{ ...review, authorId }])
  const page = await gateway.ask('GET', `/api/users/${userId}/reviews?limit=1`)
  expect(await page.json()).toEqual([{ ...review, author: PublicUser.parse(ana) }])
  expect(page.headers.get('link')).toBe(`</api/users/${userId}/reviews?limit=1&before=${review.id}>; rel="next"`)
  expect((await gateway.ask('GET', `/api/users/${userId}/reviews?limit=2`)).headers.get('link')).toBeNull()
})
