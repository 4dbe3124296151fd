/** The password of all demo accounts. `npm start` prints it. */
export const DEMO_PASSWORD = 'holdfast-demo'

export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
  readonly email: string
  /** What this person does in the demo, for visitors who choose an account. */
  readonly who: string
}

const person = (firstName: string, lastName: string, who: string): Person => ({
  firstName,
  lastName,
  who,
  username: firstName.toLowerCase(),
  email: `${firstName.toLowerCase()}@example.com`,
})

export const PEOPLE = {
  maya: person('Maya', 'Lindqvist', 'buys most of what is sold here, and sells a lamp'),
  theo: person('Theo', 'Marchetti', 'sells cameras, watches and things that turn'),
  ruth: person('Ruth', 'Adeyemi', 'sells furniture and kitchenware, buys books'),
  jonas: person('Jonas', 'Weber', 'buys and sells sports gear'),
  lena: person('Lena', 'Brandt', 'has sent her documents, which wait for a review'),
  emil: person('Emil', 'Sørensen', 'has sent documents that were rejected'),
  ines: person('Ines', 'Okafor', 'mediates disputes and sees the books (admin)'),
  noor: person('Noor', 'Haddad', 'decides about appeals, and about what needs a second admin (admin)'),
} as const satisfies Record<string, Person>

export type Name = keyof typeof PEOPLE
/** The mediators. They neither buy nor sell. */
export const ADMINS = ['ines', 'noor'] as const satisfies readonly Name[]
/** The sellers whose identity is verified: only they are paid out. */
export const VERIFIED = ['theo', 'ruth', 'jonas'] as const satisfies readonly Name[]
/** The people whose documents were reviewed, or wait for it. They neither buy nor sell. */
export const DOCUMENTS = {
  lena: null,
  emil: 'The back of your ID is out of focus, so its number cannot be read. Please take it again in daylight.',
} as const satisfies Partial<Record<Name, string | null>>
/** The people who buy and sell. */
export type Trader = Exclude<Name, (typeof ADMINS)[number] | keyof typeof DOCUMENTS>
