import { randomFrom } from '../dev/random.js'

/**
 * When the requests of an open loop are due: milliseconds from its start, in order. The gaps are random, as those of many
 * independent clients are (a Poisson process). The same seed gives the same gaps.
 *
 * @param {{ rate: number, seconds: number, seed?: number }} options `rate` is requests a second
 */
export function poissonArrivals({ rate, seconds, seed = 1 }) {
  const random = randomFrom(seed).number
  const arrivals = []
  for (let at = gap(random, rate); at < seconds * 1000; at += gap(random, rate)) arrivals.push(at)
  return arrivals
}

const gap = (random, rate) => (-Math.log(1 - random()) * 1000) / rate
