import { eventually } from './eventually.js'
import { Person } from './person.js'

const DEMO_PASSWORD = 'holdfast-demo'
/** How long to wait for the demo, which is filled in while the product can already be used. */
export const DEMO_WITHIN_MS = 180_000

/** A person of the demo, as soon as they have an account. */
export const findDemoPerson = name => eventually(`${name} can sign in`, () => signIn(`${name}@example.com`), PATIENCE)

/** A mediator of the demo, as soon as they are an admin: `ines`, or `noor`, who decides about appeals. */
export const findMediator = (name = 'ines') =>
  eventually(
    `${name} is an admin`,
    async () => {
      const person = await signIn(`${name}@example.com`)
      return person?.role === 'admin' ? person : null
    },
    PATIENCE,
  )

const PATIENCE = { withinMs: DEMO_WITHIN_MS, everyMs: 1_000 }

async function signIn(email) {
  const { status } = await new Person().call('POST', '/api/auth/signin', { body: { email, password: DEMO_PASSWORD } })
  return status === 200 ? Person.signIn(email, DEMO_PASSWORD) : null
}
