// Makes a process read a time that is ahead of the real one: CLOCK_AHEAD_MS=… node --import <this file> entry.js
const aheadMs = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length > 0 ? given : [RealDate.now() + aheadMs]))
  }

  static now() {
    return RealDate.now() + aheadMs
  }
}
