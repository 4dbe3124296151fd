/**
 * Random numbers that are the same for the same seed, unlike those of Math.random: `number()` in [0, 1), `between(low, high)`,
 * `oneOf(list)`, and `shuffled(list)`, a copy in another order. They are those of mulberry32 by Tommy Ettinger.
 * @param {number} seed
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    number,
    between: (low, high) => low + number() * (high - low),
    oneOf: list => list[Math.floor(number() * list.length)],
    shuffled(list) {
      const rest = [...list]
      return list.map(() => rest.splice(Math.floor(number() * rest.length), 1)[0])
    },
  }
}
