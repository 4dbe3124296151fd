import { deal, disputeCase } from './parts.js'

/**
 * Screens that wait for an answer. `shows` is what a screen reader hears meanwhile: the gray shapes have no words. The call
 * is never answered.
 */
const waiting = (name, path, to, shows) => ({ name: `${name}, loading`, path, shows, answer: { to, hangs: true } })

export const BUYER_LOADING = [
  waiting('dashboard', '/dashboard', /\/api\/transactions\?/, 'Loading dashboard'),
  waiting('transaction', deal('paid'), /\/api\/transactions\/\d+$/, 'Loading transaction'),
  waiting('case', disputeCase, /\/api\/disputes\/\d+$/, 'Loading dispute'),
  waiting('messages', '/messages', /\/api\/conversations/, 'Loading conversations'),
  waiting('disputes', '/disputes', /\/api\/disputes\/user/, 'Loading disputes'),
]

export const VISITOR_LOADING = [
  waiting('browse', '/browse', /\/api\/listings\?/, 'Loading items'),
  waiting('listing', deals => `/listing/${deals.active.id}`, /\/api\/listings\/\d+$/, 'Loading listing'),
  waiting('seller', deals => `/seller/${deals.completed.seller.username}`, /\/api\/sellers\//, 'Loading seller'),
  waiting('invitation', '/invitation/waiting', /\/api\/invitation\//, 'Loading invitation'),
]
