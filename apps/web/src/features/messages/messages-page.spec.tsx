import type { Conversation } from '@holdfast/contracts/messages'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { ana, ben, publicBen } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { Protected } from '../../app/protected.js'
import MessagesPage from './messages-page.js'

const conversation = (more: Partial<Conversation> = {}): Conversation => ({
  transactionId: 7,
  title: 'Oak chair',
  other: ana,
  lastMessage: { senderId: ana.id, content: 'Is Friday fine?', images: 0, createdAt: '2026-11-20T10:00:00.000Z' },
  unread: 2,
  position: 40,
  ...more,
})

function server(answer: (query: URLSearchParams) => readonly Conversation[]) {
  return fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/conversations': ({ query }) => ({ body: answer(query) }),
    'POST /api/conversations/read': () => ({ status: 204 }),
  })
}

const showPage = () =>
  show(
    <Protected>
      <MessagesPage />
    </Protected>,
  )

test('shows each conversation with the other person, the item, the last message and what is unread', async () => {
  const mine = conversation({
    transactionId: 8,
    lastMessage: { senderId: publicBen.id, content: 'It is packed.', images: 0, createdAt: '2026-11-19T10:00:00.000Z' },
    unread: 0,
  })
  server(() => [conversation(), mine, conversation({ transactionId: 9, unread: 99 })])
  showPage()
  const [first, second, third] = await screen.findAllByRole('listitem')
  for (const words of ['Ana Ruiz', 'Oak chair', 'Is Friday fine?']) within(first!).getByText(words)
  expect(first!.textContent).toContain('2 unread')
  expect(within(first!).getByRole('link').getAttribute('href')).toBe('/transaction/7#messages')
  expect(second!.textContent).toContain('You: It is packed.')
  expect(second!.textContent).not.toContain('unread')
  expect(third!.textContent).toContain('99+ unread')
})

test('names a last message without words by its pictures', async () => {
  const pictures = (images: number) => ({
    senderId: ana.id,
    content: '',
    images,
    createdAt: '2026-11-20T10:00:00.000Z',
  })
  server(() => [1, 2].map(images => conversation({ transactionId: images, lastMessage: pictures(images) })))
  showPage()
  const [first, second] = await screen.findAllByRole('listitem')
  within(first!).getByText('Picture')
  within(second!).getByText('2 pictures')
})

test('asks the server for a search and for unread ones, and says what nothing means in each case', async () => {
  const asked: string[] = []
  server(query => {
    asked.push(query.toString())
    return []
  })
  showPage()
  expect(await screen.findByText('No Messages Yet')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Unread' }))
  expect(await screen.findByText('No Unread Messages')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Search'), ' chair ')
  expect(await screen.findByText('No Conversation Found')).toBeTruthy()
  expect(asked).toEqual(['', 'unread=true', 'q=chair&unread=true'])
})

test('marks all as read, and asks again', async () => {
  let unread = 2
  const { calls } = server(() => [conversation({ unread })])
  showPage()
  await screen.findByText('Is Friday fine?')
  await userEvent.click(screen.getByRole('button', { name: 'More about messages' }))
  expect((await screen.findByRole('menuitem', { name: 'Settings' })).getAttribute('href')).toBe('/profile')
  unread = 0
  await userEvent.click(screen.getByRole('menuitem', { name: 'Mark all as read' }))
  expect(await screen.findByText('All messages are marked as read')).toBeTruthy()
  expect(calls.filter(call => call === 'POST /api/conversations/read')).toHaveLength(1)
  expect(screen.queryByText('2')).toBeNull()
})
