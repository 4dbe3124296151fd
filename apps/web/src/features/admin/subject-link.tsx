import { Link } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'

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
  dispute: () => paths.adminDisputes,
}

/** What an act was done to, such as `transaction:7`, as a link to where the console shows it. */
export function SubjectLink({ subject }: { subject: string }) {
  const [kind = '', ...rest] = subject.split(':')
  const page = PAGES[kind]
  const words = `${kind.replaceAll('_', ' ')} ${rest.join(':')}`
  if (!page) return words
  return (
    <Link to={page(rest.join(':'))} className="link relative [overflow-wrap:anywhere]">
      {words}
    </Link>
  )
}
