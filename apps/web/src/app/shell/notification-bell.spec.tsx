import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { notification } from '../../../test/messages.js'
import { show } from '../../../test/show.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { NotificationBell } from './notification-bell.js'

test('the bell counts every unread notification, and opening it marks them as read', async () => {
  let unread = 31
  const { calls } = fakeServer({
    'GET /api/notifications': () => ({ body: [notification(1)] }),
    'GET /api/notifications/unread': () => ({ body: { unread } }),
    'POST /api/notifications/read': () => {
      unread = 0
      return { status: 204 }
    },
  })
  show(<NotificationBell />)
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 31 unread' }))
  expect(await screen.findByText('Payment received')).toBeTruthy()
  expect(calls).toContain('POST /api/notifications/read')
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
})

test('what was loaded stays in the menu when it cannot be loaded again', async () => {
  let isAway = false
  fakeServer({
    'GET /api/notifications': () => (isAway ? refusal('UNAVAILABLE') : { body: [notification(1)] }),
    'GET /api/notifications/unread': () => ({ body: { unread: 0 } }),
  })
  show(<NotificationBell />)
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
  expect(await screen.findByText('Payment received')).toBeTruthy()
  isAway = true
  await act(() => refreshAfter({ kind: 'notifications' }))
  expect(screen.getByText('Payment received')).toBeTruthy()
  expect(screen.queryByText(/^Could not be loaded/)).toBeNull()
})

test('a notification about a dispute leads to its case, and to the deal while the case is not known', async () => {
  const opened = { type: 'dispute', read: true } as const
  fakeServer({
    'GET /api/notifications': () => ({
      body: [
        notification(1, { ...opened, title: 'A mediator has ruled', disputeId: 5 }),
        notification(2, { ...opened, title: 'Dispute opened' }),
      ],
    }),
    'GET /api/notifications/unread': () => ({ body: { unread: 0 } }),
  })
  show(<NotificationBell />)
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
  const hrefOf = async (name: RegExp) => (await screen.findByRole('menuitem', { name })).getAttribute('href')
  expect(await hrefOf(/^A mediator has ruled/)).toBe('/disputes/5')
  expect(await hrefOf(/^Dispute opened/)).toBe('/transaction/42')
})
