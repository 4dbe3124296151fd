import { deal, NO_DISPUTES } from './parts.js'

/** A mediator has no screens of their own yet: they see the public screens, and no deal. */
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
]
