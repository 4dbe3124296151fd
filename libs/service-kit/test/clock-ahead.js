// Makes a process read a time that is ahead of the real one: CLOCK_AHEAD_MS=… node --import <this file> entry.js
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date

class DateAhead extends RealDate {
  /** @param {[]} given as to `Date` */
  constructor(...given) {
    super(.../** @type {[number]} */ (given.length > 0 ? given : [RealDate.now() + aheadMs]))
  }

  /** @override */
  static now() {
    return RealDate.now() + aheadMs
  }
}

// It cannot be called without `new`, as the real one can, so it does not have its type.
Object.assign(globalThis, { Date: DateAhead })
