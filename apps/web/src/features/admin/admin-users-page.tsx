import { adminRoutes } from 'virtual:admin-routes'
import type { AdminUser } from '@holdfast/contracts/admin-users'
import { pages } from '@holdfast/contracts/pages'
import { useSearchParams } from 'react-router-dom'
import { Badge } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { fullName } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { usePages } from '../../lib/use-pages.js'
import { VERIFICATION_LOOKS } from '../profile/shared/verification-looks.js'
import { PagedList } from './paged-list.js'
import { SearchBox } from './search-box.js'
import { ConsolePage } from './shared/console-page.js'

const UserDialog = dialogOnDemand(() => import('./acts/user-dialog.js'))

function roleOf({ role, suspendedAt, closingAt, closedAt }: AdminUser) {
  if (closedAt) return <Badge>Closed</Badge>
  if (closingAt) return <Badge dot="yellow">Closing</Badge>
  if (suspendedAt !== null) return <Badge tone="trouble">Suspended</Badge>
  return role === 'admin' ? <Badge tone="done">Admin</Badge> : 'User'
}

/** The users, and one of them in a dialog whose address can be linked to. */
export default function UsersPage() {
  const [params, setParams] = useSearchParams()
  const q = params.get('q')
  const list = usePages(adminRoutes.listUsers, { query: q ? { q } : {} })
  const userId = params.get('user')
  const open = (id: string | null) => {
    const next = new URLSearchParams(params)
    if (id === null) next.delete('user')
    else next.set('user', id)
    setParams(next, { replace: id === null, preventScrollReset: true })
  }
  return (
    <ConsolePage page={pages.adminUsers} lead="All users, newest first.">
      <SearchBox label="Find a user" hint="By name, username, e-mail or id." page={paths.adminUsers} />
      <PagedList
        caption="Users"
        list={list}
        loading="Loading users"
        errorTitle="The users could not be loaded"
        moreErrorTitle="More users could not be loaded"
        keyOf={({ id }) => id}
        open={({ id }) => open(id)}
        empty="No user matches."
        columns={[
          { label: 'Name', cell: user => fullName(user) },
          { label: 'Username', cell: ({ username, closedAt }) => (closedAt ? '—' : `@${username}`) },
          {
            label: 'E-mail',
            cell: ({ email, closedAt }) => (closedAt ? '—' : <span className="[overflow-wrap:anywhere]">{email}</span>),
          },
          { label: 'Role', cell: roleOf },
          { label: 'Verification', cell: ({ verificationStatus }) => VERIFICATION_LOOKS[verificationStatus].label },
          { label: 'Sessions', cell: ({ sessions }) => sessions, align: 'right' },
          {
            label: 'Since',
            cell: ({ createdAt }) => <span className="whitespace-nowrap">{formatDate(new Date(createdAt))}</span>,
          },
        ]}
      />
      <UserDialog open={userId !== null} close={() => open(null)} userId={userId} />
    </ConsolePage>
  )
}
