// Uses only old JavaScript: every Node that supports modules must be able to parse this file.

/**
 * The oldest Node the product runs on. `engines` in package.json promises this version and later ones, but for early
 * releases of 22 and 24 that a dependency does not promise to support. Those are let through: they work so far.
 */
const OLDEST_NODE = [20, 19]

/** True when `version` (such as "20.19.0") is the oldest supported one or newer. */
export function isSupportedNode(version) {
  const parts = version.split('.').map(Number)
  return parts[0] > OLDEST_NODE[0] || (parts[0] === OLDEST_NODE[0] && parts[1] >= OLDEST_NODE[1])
}

/** Ends the process with one sentence when this Node is too old. */
export function refuseOldNode() {
  if (isSupportedNode(process.versions.node)) return
  process.stderr.write(
    `Holdfast needs Node ${OLDEST_NODE.join('.')} or newer, and this is Node ${process.versions.node}: install a newer one from https://nodejs.org and start again.\n`,
  )
  process.exit(1)
}
