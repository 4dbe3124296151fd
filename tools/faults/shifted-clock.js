// Loaded into a process with `node --import`: its clock is ahead by CLOCK_AHEAD_MS.
const RealDate = Date
const now = () => RealDate.now() + Number(process.env.CLOCK_AHEAD_MS)

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args))
  }

  static now = now
}
