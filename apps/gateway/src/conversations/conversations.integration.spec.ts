import { PublicUser } from '@holdfast/contracts/users'
import { answerPeople, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const gateway = new RunningGateway()
const { services } = gateway
const [ana, ben] = [aPerson('Ana'), aPerson('Ben')]
const chat = {
  ...{ transactionId: 7, title: 'A watch', unread: 1, position: 40 },
  lastMessage: { senderId: ana.id, content: 'Hello', images: 0, createdAt: '2026-11-21T10:00:00.000Z' },
}

beforeAll(() => gateway.start())
afterAll(() => gateway.stop())
beforeEach(() => {
  services.clear()
  answerPeople(services, [ana, ben])
  services.on('messaging-svc', 'POST', '/internal/conversations', () => [{ ...chat, otherId: ana.id }])
  services.on('messaging-svc', 'GET', '/internal/conversations/counterparties', () => [ana.id, ben.id])
})

const list = (query: string) => gateway.ask('GET', `/api/conversations${query}`, { token: services.signIn().token })
const bodies = () =>
  services.received
    .filter(({ url }) => url === '/internal/conversations')
    .map(({ body }) => JSON.parse(body.toString()))

test('the chats of a user have the profile of the other party, and a full page the link to the next', async () => {
  const page = await list('?limit=1&unread=true')
  expect(await page.json()).toEqual([{ ...chat, other: PublicUser.parse(ana) }])
  expect(page.headers.get('link')).toBe('</api/conversations?limit=1&unread=true&before=40>; rel="next"')
  expect((await list('?limit=2&before=50')).headers.get('link')).toBeNull()
  expect(bodies()).toEqual([
    { limit: 1, unread: true },
    { limit: 2, before: 50, unread: false },
  ])
})

test('the chats of a user are searched for the people whose names have the text', async () => {
  await list('?q=BEN')
  expect(bodies()).toMatchObject([{ search: { text: 'BEN', others: [ben.id] } }])
})
