import { routes } from 'virtual:routes'
import { fullName } from '../../lib/current-user.js'
import { Link } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'

/** The name of an admin, as a link to their account. The id's end, while it is not known or when they are no admin any more. */
export function AdminName({ id }: { id: string }) {
  const { data: admins } = useCall(routes.listUsers, { query: { role: 'admin', limit: 100 } })
  const admin = admins?.find(each => each.id === id)
  return (
    <Link to={paths.adminUser(id)} className="link relative">
      {admin ? fullName(admin) : `…${id.slice(-8)}`}
    </Link>
  )
}
