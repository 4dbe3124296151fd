/**
 * When the requests of an open loop are due: milliseconds from its start, in order. The gaps are random, as those of many
 * independent clients are (a Poisson process). The same seed gives the same gaps.
 *
 * @param {{ rate: number, seconds: number, seed?: number }} options `rate` is requests a second
 */
export function poissonArrivals({ rate, seconds, seed = 1 }) {
  const random = randomNumbers(seed)
  const arrivals = []
  for (let at = gap(random, rate); at < seconds * 1000; at += gap(random, rate)) arrivals.push(at)
  return arrivals
}

const gap = (random, rate) => (-Math.log(1 - random()) * 1000) / rate

/** Numbers in [0, 1): mulberry32 by Tommy Ettinger, since Math.random takes no seed. */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
