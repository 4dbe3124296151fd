// The plans that are kept in the repository, and the comparison of a run with them.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

export const planFile = fileURLToPath(new URL('./plans.txt', import.meta.url))

/** A table with more rows than this grows with the deals. Reading it from end to end takes ever longer. */
const MANY_ROWS = 20_000
/** Statements that read so many pages, and so many times more than in the small world, are named. */
const MANY_PAGES = 40
const GROWTH = 3
/** How much of a statement is shown. */
const SHOWN = 230

const headOf = (key, { text }) => `# ${key} ${text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}`

/** The text of the file: each statement with the plans that it may have, those of both worlds. */
export function keptPlans(large, small) {
  const keys = [...new Set([...large.keys(), ...small.keys()])]
  const blocks = keys.map(key => {
    const shapes = [large, small].flatMap(plans => [...(plans.get(key)?.shapes.keys() ?? [])])
    return [
      headOf(key, large.get(key) ?? small.get(key)),
      ...[...new Set(shapes)].sort().map(each => `${each}\n`),
    ].join('\n')
  })
  return `${blocks.sort().join('\n')}`
}

/** @returns {Map<string, Set<string>>} the plans by statement */
export function readKept(text) {
  const kept = new Map()
  for (const block of text.split(/^# /m).filter(Boolean)) {
    const [head, ...lines] = block.split('\n')
    const [service, hash] = head.split(' ')
    kept.set(
      `${service} ${hash}`,
      new Set(
        lines
          .join('\n')
          .split('\n\n')
          .map(shape => shape.trim())
          .filter(Boolean),
      ),
    )
  }
  return kept
}

/**
 * What is wrong with the plans of a run, as lines. A statement that the file does not have is no fault by itself.
 * @param {Map<string, number>} sizes the number of rows by table
 */
export function comparePlans(plans, sizes, kept = readKept(fs.readFileSync(planFile, 'utf8'))) {
  const faults = []
  for (const [key, plan] of plans) {
    for (const table of plan.scanned)
      if ((sizes.get(table) ?? 0) > MANY_ROWS) faults.push(`reads all of ${table}: ${headOf(key, plan)}`)
    const known = kept.get(key)
    for (const shape of known ? plan.shapes.keys() : [])
      if (!known.has(shape.trim())) faults.push(`has another plan: ${headOf(key, plan)}\n${shape}`)
  }
  return faults
}

/** The statements that read many more pages in the large world, the worst first. */
export function growthLines(small, large) {
  const pages = plan => plan.blocks / plan.calls
  const grown = [...large].filter(
    ([key, plan]) => pages(plan) > MANY_PAGES && pages(plan) > GROWTH * pages(small.get(key) ?? plan),
  )
  return grown
    .sort(([, one], [, other]) => other.blocks - one.blocks)
    .map(
      ([key, plan]) =>
        `${Math.round(pages(small.get(key)))} → ${Math.round(pages(plan))} pages a call, ${plan.calls} calls: ${headOf(key, plan)}`,
    )
}
