import { Link } from 'react-router-dom'
import { classes } from '../../lib/class-names.js'
import { paths } from '../../lib/paths.js'
import { isId, shortId, useName } from './names.js'

/** Where the console shows a thing, by its kind. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  transaction: paths.adminLedgerSearch,
  account: paths.adminAccount,
  user: paths.adminUser,
  approval: () => paths.adminApprovals,
  payout: () => paths.adminPayouts,
  refund: () => paths.adminRefunds,
  dead_letter: () => paths.adminDeadLetters,
  dead_letters: () => paths.adminDeadLetters,
  provider_event: () => paths.adminProviderEvents,
  provider_events: () => paths.adminProviderEvents,
  dispute: id => paths.dispute(Number(id)),
}

/** What an act was done to, such as `transaction:7`, as a link to where the console shows it. The full id is its title. */
export function SubjectLink({ subject }: { subject: string }) {
  const [kind = '', ...rest] = subject.split(':')
  const id = rest.join(':')
  const words = useSubjectWords(kind, rest)
  const page = PAGES[kind]
  if (!page) return words
  return (
    <Link
      to={page(id)}
      title={id}
      // The type of dead letters is long.
      className={classes('link relative [overflow-wrap:anywhere]', kind !== 'dead_letters' && 'sm:whitespace-nowrap')}
    >
      {words}
    </Link>
  )
}

/** An account by its name in the ledger, as everywhere in the console. `seller_payable:{user}` has the seller's name in place of the id. */
export const AccountLink = ({ account }: { account: string }) => <SubjectLink subject={`account:${account}`} />

function useSubjectWords(kind: string, rest: readonly string[]): string {
  const id = rest.at(-1) ?? ''
  const name = useName(id)
  const shown = name ?? (isId(id) ? shortId(id) : id)
  if (kind === 'user' && name) return name
  return kind === 'account' ? [...rest.slice(0, -1), shown].join(':') : `${kind.replaceAll('_', ' ')} ${shown}`
}
