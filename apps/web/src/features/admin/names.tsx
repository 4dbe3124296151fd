import { adminRoutes } from 'virtual:admin-routes'
import { MAX_NAMES } from '@holdfast/kernel/admin'
import { UUID_PATTERN, UUIDS_IN_TEXT } from '@holdfast/kernel/ids'
import { createContext, type ReactNode, use } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.js'
import { useCall } from '../../lib/use-call.js'

/** The names of users by their ids. */
const Names = createContext<ReadonlyMap<string, string>>(new Map())

/** Every id in these texts, such as the subject of an act. */
export const idsIn = (...texts: readonly string[]): string[] => texts.flatMap(text => text.match(UUIDS_IN_TEXT) ?? [])
/** Of a subject only the ids of users: those of refunds and payouts have no names. */
export const usersIn = (subject: string): string[] => (/^(user|account):/.test(subject) ? idsIn(subject) : [])
export const isId = (text: string): boolean => UUID_PATTERN.test(text)

/** Asks once for the names of these users, and gives them to everything within. */
export function KnownNames({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const asked = [...new Set(ids)].sort().slice(0, MAX_NAMES).join(',')
  const { data } = useCall(adminRoutes.listNames, asked === '' ? null : { query: { ids: asked } }, {
    keepPreviousData: true,
  })
  return <Names value={new Map(data?.map(({ id, name }) => [id, name]))}>{children}</Names>
}

/** The name of a user; undefined while it is not known. */
export const useName = (id: string): string | undefined => use(Names).get(id)

/** A user by name, or by the end of the id while the name is not known, for rows that are a link themselves. */
export const NameOf = ({ id }: { id: string }) => <span title={id}>{useName(id) ?? shortId(id)}</span>

/** A user by name, or by the end of the id while the name is not known. It leads to the account. */
export function UserName({ id }: { id: string }) {
  const name = useName(id)
  return (
    <Link to={paths.adminUser(id)} title={id} className="link relative sm:whitespace-nowrap">
      {name ?? shortId(id)}
    </Link>
  )
}

/** The end of an id. Ids begin with their time, so those of a day begin alike. */
export const shortId = (id: string): string => `…${id.slice(-8)}`
