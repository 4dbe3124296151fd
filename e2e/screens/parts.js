/** What the screens of several roles share. */

/** The answer of a failing server to every call with a matching address. */
export const failing = to => ({
  to,
  status: 500,
  json: { code: 'INTERNAL', message: 'Something went wrong on our side.' },
})

/** The deal whose item did not arrive in time. Its date takes 14 days at least, so the server's answer is changed. */
export const overdue = action => ({
  to: /\/api\/transactions\/\d+$/,
  change: shown => ({ ...shown, status: 'disputed', actions: [action], clock: null, turn: null }),
})

/** The page of the deal that has this status. */
export const deal = status => deals => `/transaction/${deals[status].id}`

/** What the page of a deal shows once its ledger is there, without and with a payment. */
export const UNPAID = 'Nothing has been paid yet, so no money has moved.'
export const LEDGER = 'The sum, as paid'
/** What the page of a deal shows that a party disputes, and of one whose item did not arrive in time. */
export const STOPPED = /^A dispute has stopped this transaction\./
export const OVERDUE = 'On hold: the item did not arrive in time'
/** What the page of disputes shows when there is none. */
export const NO_DISPUTES = 'If a deal goes wrong, file one here before you accept the item.'
