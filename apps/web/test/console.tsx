/** The operator's console for tests: its pages as an admin sees them. */
import type { AdminUser } from '@holdfast/contracts/admin-users'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { consoleRoutes } from '../src/app/router.js'
import { fakeServer, type Handler } from './fake-server.js'
import { uuid } from './ids.js'
import { ben } from './people.js'
import { showRoutes } from './show.js'

export const AT = '2026-11-22T10:00:00.000Z'
/** The admin who looks. */
export const ruth = { ...ben, role: 'admin' as const, firstName: 'Ruth', lastName: 'Weber' }

export const adminUser = (change: Partial<AdminUser> = {}): AdminUser => ({
  id: uuid(2),
  email: 'ana@example.com',
  username: 'ana',
  firstName: 'Ana',
  lastName: 'Ruiz',
  role: 'user',
  approvesFrom: null,
  suspendedAt: null,
  plan: 'standard',
  verificationStatus: 'approved',
  totalTransactions: 3,
  createdAt: AT,
  closingAt: null,
  closedAt: null,
  sessions: 1,
  ...change,
})

/**
 * Shows a page of the console. Acts that move more than $500.00 wait for a second admin.
 *
 * @returns the bodies that were sent
 */
export function openConsole(address: string, handlers: Readonly<Record<string, Handler>>, user: object = ruth) {
  const sent: unknown[] = []
  const noting =
    (handler: Handler): Handler =>
    request => {
      if (request.body !== undefined) sent.push(request.body)
      return handler(request)
    }
  fakeServer({
    'GET /api/auth/user': () => ({ body: user }),
    'GET /api/admin/users': () => ({ body: [adminUser({ role: 'admin' })] }),
    'GET /api/admin/approvals/limit': () => ({ body: { amount: '500.00', currency: 'USD' } }),
    'GET /api/admin/provider-events/open/count': () => ({ body: { count: 2 } }),
    'GET /api/admin/names': () => ({ body: [{ id: uuid(2), name: 'Ana Ruiz' }] }),
    ...Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, noting(handler)])),
  })
  showRoutes([consoleRoutes], address)
  return sent
}
/** Presses a button as soon as it is there. */
export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
export const giveReason = async (reason: string) => userEvent.type(await screen.findByLabelText('Reason'), reason)
/** A handler that answers this list. */
export const list =
  (body: readonly unknown[]): Handler =>
  () => ({ body })
