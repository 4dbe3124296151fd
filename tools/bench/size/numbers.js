// SQL that the rows of a filled database are computed with. Every value follows from a deal's number `i`, so two runs make the same
// world.
import { PEOPLE, personId } from '../prepare.js'

/** A whole number below `n` that looks random. Another seed gives another number. `of` is SQL, a bigint. */
export const mix = (seed, n, of = 'i') => `((hashint8extended(${of}, ${seed}) & 2147483647) % ${n})`

/** A random number below `n`; small numbers are more frequent. So a few people trade much, and most of them little. */
export const skewed = (seed, n, of = 'i') =>
  `floor(${n} * power((hashint8extended(${of}, ${seed}) & 2147483647) / 2147483648.0, 2))::int`

/** The people below this number belong to the money commands, whose deals would otherwise be on the dashboards that are measured. */
export const FIRST_TRADER = PEOPLE
/** Traders for so many deals: each buys ten and sells ten on average. */
export const tradersFor = count => Math.ceil(count / 10)

/** Listings on sale for so many deals. Their ids begin here, above those of the listings of deals, which have the deal's id. */
export const onSaleFor = count => Math.ceil(count / 4)
export const FIRST_ON_SALE = 1_000_000_000

/** An id as services make it: it begins with a time. */
export const idAt = at => `uuidv7(${at} - clock_timestamp())`

const pick = (words, seed, of) => `(ARRAY['${words.join("','")}'])[1 + ${mix(seed, words.length, of)}]`

const ADJECTIVES =
  'small large old vintage restored silver black oak walnut leather brass electric portable folding rare complete blue green signed early'
const NOUNS = `camera lens guitar bicycle lamp clock watch chair table radio amplifier microphone keyboard drum violin globe typewriter
  telescope binoculars projector turntable speaker suitcase tent kayak saddle helmet jacket painting print vase mirror rug teapot grinder
  kettle toaster mixer plane chisel drill lathe workbench sewing loom atlas novel cookbook stamp coin medal model locomotive carriage
  puzzle chessboard accordion trumpet`
const DETAILS = `kept dry indoors since new little used works well box manual charger strap case included some scratches near base tested last
  week battery replaced serviced spring original paint one owner from estate ships insured collected buyer may ask more pictures
  smells fine smoke free home screws tight glass clear hinge firm cable long spare parts sold as seen honest wear edges`

const words = text => text.split(/\s+/)

/** A title such as `vintage brass telescope 417`. */
export const title = (seed, of) =>
  `${pick(words(ADJECTIVES), seed, of)} || ' ' || ${pick(words(ADJECTIVES), seed + 1, of)} || ' ' || ${pick(words(NOUNS), seed + 2, of)}
    || ' ' || (${mix(seed + 3, 900, of)} + 100)`

/** A text of `length` words. */
export const text = (seed, length, of) =>
  Array.from({ length }, (_, n) => pick(words(n % 4 === 3 ? NOUNS : DETAILS), seed + 10 + n, of)).join(` || ' ' || `)

/** The id of a trader, as SQL over a number from 0 on. */
export const traderId = number => personId(`${FIRST_TRADER} + ${number}`)
