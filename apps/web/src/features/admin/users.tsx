import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { Badge, humanCase } from '../../components/badge.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { LoadError } from '../../components/load-error.js'
import { ShowMore } from '../../components/show-more.js'
import { fullName } from '../../lib/current-user.js'
import { useSearchParams } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { usePages } from '../../lib/use-pages.js'
import type { UserDialogProps } from './acts/user-dialog.js'
import { LoadingList } from './loading-list.js'
import { SearchBox } from './search-box.js'
import { ConsoleFrame } from './shared/console-frame.js'
import { ConsoleList } from './shared/console-list.js'

const UserDialog = dialogOnDemand<UserDialogProps>(async () => (await import('./acts/dialogs.js')).UserDialog)

/** The users, and one of them in a dialog whose address can be linked to. */
export function Users() {
  const [params, setParams] = useSearchParams()
  const q = params.get('q')
  const list = usePages(routes.listUsers, { query: q ? { q } : {} })
  const { items, error, retry } = list
  const userId = params.get('user')
  const open = (id: string | null) => {
    const next = new URLSearchParams(params)
    if (id === null) next.delete('user')
    else next.set('user', id)
    setParams(next, { replace: id === null })
  }
  return (
    <ConsoleFrame page={pages.adminUsers} lead="All users, newest first.">
      <SearchBox label="Find a user" hint="Name, username, e-mail or id" page={paths.adminUsers} />
      {!items && error && <LoadError title="The users could not be loaded" error={error} retry={retry} />}
      {!items && !error && <LoadingList label="Loading users" />}
      {items && (
        <div className="grid gap-4">
          <ConsoleList
            caption="Users"
            items={items}
            keyOf={({ id }) => id}
            open={({ id }) => open(id)}
            empty="No user matches."
            columns={[
              { label: 'Name', cell: user => fullName(user) },
              { label: 'Username', cell: ({ username }) => `@${username}` },
              {
                label: 'E-mail',
                cell: ({ email }) => <span className="[overflow-wrap:anywhere]">{email}</span>,
                wide: true,
              },
              { label: 'Role', cell: ({ role }) => (role === 'admin' ? <Badge tone="done">Admin</Badge> : 'User') },
              { label: 'Verification', cell: ({ verificationStatus }) => humanCase(verificationStatus), wide: true },
              { label: 'Sessions', cell: ({ sessions }) => sessions, align: 'right', wide: true },
              { label: 'Since', cell: ({ createdAt }) => formatDate(new Date(createdAt)), wide: true },
            ]}
          />
          <ShowMore of={list} errorTitle="More users could not be loaded" size="sm" />
        </div>
      )}
      <UserDialog open={userId !== null} close={() => open(null)} userId={userId} />
    </ConsoleFrame>
  )
}
