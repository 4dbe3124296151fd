// Stands in for the modules of k6 where a test runs its scripts in Node (tools/jest/typescript-hooks.js). The test says what they do.

/**
 * What `k6/http` and `k6/execution` export as their default. A test fills it.
 * @type {Record<string, any>}
 */
const k6 = { expectedStatuses: () => undefined }
export default k6

export const check = (value, checks) => k6.check(value, checks)
export const sleep = () => undefined

class Metric {
  add() {}
}

export { Metric as Rate, Metric as Trend }
