import { Member } from './member.js'
import { type Name, PEOPLE } from './people.js'

export type Members = Readonly<Record<Name, Member>>

/** Signs in every person of the demo. */
export async function openAccounts(gatewayUrl: string): Promise<Members> {
  const names = Object.keys(PEOPLE) as Name[]
  const members = await Promise.all(
    names.map(async name => [name, await Member.signIn(gatewayUrl, PEOPLE[name])] as const),
  )
  return Object.fromEntries(members) as Members
}
