import { deal, LEDGER } from './parts.js'

/** Screens with words as some people have them: from right to left, without any blank, and with amounts of many digits. */

const TITLE = 'ساعة بحرية قديمة مع صندوقها، رقم 1902 (Kelvin & White)'
const TEXT = 'تعمل الساعة جيدا.\nThe box is of mahogany. מצב טוב מאוד, עם המפתח.'
const ENDLESS = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten'
const MANY_DIGITS = '99999999999999999999.99'

const person = { firstName: 'עַמִּיחַי', lastName: ENDLESS.slice(0, 60) }
const inWords = ({ listing, buyer, seller, ...rest }) => ({
  ...{ ...rest, listing: { ...listing, title: TITLE, description: TEXT, price: '980000.00' } },
  ...{ buyer: { ...buyer, ...person }, seller: { ...seller, ...person } },
})

export const BUYER_WORDS = [
  {
    name: 'transaction, words from right to left and a name without blanks',
    path: deal('shipped'),
    shows: [TITLE, LEDGER],
    answer: { to: /\/api\/transactions\/\d+$/, change: inWords },
  },
  {
    name: 'buying, words from right to left',
    path: '/dashboard?tab=buying',
    shows: TITLE,
    answer: { to: /\/api\/transactions\?/, change: deals => deals.map(inWords) },
  },
  {
    name: 'dashboard, amounts of many digits',
    path: '/dashboard',
    shows: ['Active Transactions', /99,999,999,999,999,999,999\.99$/],
    answer: {
      to: /\/api\/transactions\/summary/,
      change: shown =>
        Object.fromEntries(
          Object.entries(shown).map(([name, value]) => [
            name,
            typeof value === 'string' && /\d\.\d/.test(value) ? MANY_DIGITS : value,
          ]),
        ),
    },
  },
]

export const VISITOR_WORDS = [
  {
    name: 'listing, words from right to left and a name without blanks',
    path: deals => `/listing/${deals.active.id}`,
    shows: [TITLE, 'Sign In to Purchase'],
    answer: {
      to: /\/api\/listings\/\d+$/,
      change: shown => ({
        ...shown,
        ...{ title: TITLE, description: TEXT, price: '980000.00', location: ENDLESS },
        seller: { ...shown.seller, ...person },
      }),
    },
  },
]
