// Loaded into one process (node --import), so that its clock is as far ahead as SKEW_SECONDS says.
const aheadMs = Number(process.env.SKEW_SECONDS) * 1_000
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RightDate.now() + aheadMs] : args))
  }

  static now() {
    return RightDate.now() + aheadMs
  }
}
