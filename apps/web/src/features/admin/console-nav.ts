import { paths } from '../../lib/paths.js'

/** The pages of the console in their order. `g` and then the key goes there. */
export const CONSOLE_NAV = [
  { to: paths.admin, label: 'Overview', key: 'o' },
  { to: paths.adminDisputes, label: 'Disputes', key: 'd' },
  { to: paths.adminApprovals, label: 'Approvals', key: 'a' },
  { to: paths.adminRefunds, label: 'Refunds', key: 'r' },
  { to: paths.adminPayouts, label: 'Payouts', key: 'p' },
  { to: paths.adminStuck, label: 'Stuck', key: 's' },
  { to: paths.adminDeadLetters, label: 'Dead letters', key: 'e' },
  { to: paths.adminProviderEvents, label: 'Provider events', key: 'n' },
  { to: paths.adminLedger, label: 'Ledger', key: 'l' },
  { to: paths.adminUsers, label: 'Users', key: 'u' },
  { to: paths.adminVerifications, label: 'Verifications', key: 'v' },
  { to: paths.adminEnquiries, label: 'Enquiries', key: 'q' },
  { to: paths.adminAudit, label: 'Audit', key: 't' },
] as const

/** The other keys, for the list of shortcuts. */
export const CONSOLE_KEYS = [
  { keys: 'j or ↓', does: 'Next row' },
  { keys: 'k or ↑', does: 'Row before' },
  { keys: 'Enter', does: 'Open the row' },
  { keys: '/', does: 'Go to the search' },
  { keys: 'Esc', does: 'Close what is open' },
  { keys: '?', does: 'This list' },
] as const
