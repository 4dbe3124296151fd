/** Who lives in the demo. Their passwords are printed at every start: the product refuses none of this in production. */
export const DEMO_PASSWORD = 'holdfast-demo'

export interface Person {
  readonly firstName: string
  readonly lastName: string
  readonly username: string
  readonly email: string
  /** What they are in the demo, for those who choose an account to try. */
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
  ines: person('Ines', 'Okafor', 'mediates disputes and sees the books (admin)'),
} as const satisfies Record<string, Person>

export type Name = keyof typeof PEOPLE
/** Those who trade; the mediator never does. */
export type Trader = Exclude<Name, 'ines'>
