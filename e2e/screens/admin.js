import { CONSOLE } from './console.js'
import { deal, NO_DISPUTES } from './parts.js'

/** An admin sees the screens of everybody, no deal of others, and the console. */
export const ADMIN = [
  { name: 'dashboard', path: '/dashboard', shows: 'No Completed Transactions' },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'disputes', path: '/disputes', shows: NO_DISPUTES },
  { name: 'profile', path: '/profile', shows: ['Member since', 'This one'] },
  {
    name: 'transaction of others',
    path: deal('disputed'),
    shows: 'Transaction Not Found',
    refused: [/^404: GET \/api\/transactions\/\d+$/],
  },
  ...CONSOLE,
]
