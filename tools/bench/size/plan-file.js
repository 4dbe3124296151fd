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

/** The text of the file: each statement with the plans that it may have. What the file had before stays in it. */
export function keptPlans(plans, before = '') {
  const blocks = new Map(blocksOf(before).map(({ key, head, shapes }) => [key, { head, shapes }]))
  for (const [key, plan] of plans) {
    const shapes = new Set([...(blocks.get(key)?.shapes ?? []), ...plan.shapes.keys()])
    blocks.set(key, { head: headOf(key, plan), shapes })
  }
  return [...blocks.values()]
    .map(({ head, shapes }) => [head, ...[...shapes].sort().map(each => `${each}\n`)].join('\n'))
    .sort()
    .join('\n')
}

const blocksOf = text =>
  text
    .split(/^(?=# )/m)
    .filter(Boolean)
    .map(block => {
      const [head, ...lines] = block.trimEnd().split('\n')
      const [, service, hash] = head.split(' ')
      return { key: `${service} ${hash}`, head, shapes: new Set(lines.join('\n').split('\n\n')) }
    })

/** @returns {Map<string, Set<string>>} the plans by statement */
export const readKept = text => new Map(blocksOf(text).map(({ key, shapes }) => [key, shapes]))

/**
 * The statements that read a table which grows with the deals. On a table that stays small every plan is a good one, so PostgreSQL takes now
 * one and now another.
 * @param {Map<string, number>} sizes the number of rows by table
 */
export const onGrowing = (plans, sizes) =>
  new Map([...plans].filter(([, plan]) => [...plan.tables].some(table => grows(plan, table, sizes))))

/** A plan names no schema: the table is the service's own, or one of the event log. */
const grows = ({ application }, table, sizes) =>
  (sizes.get(`${application}.${table}`) ?? sizes.get(`events.${table}`) ?? 0) > MANY_ROWS

/**
 * What is wrong with the plans of a run, as lines: a statement or a plan that the file does not have, and a table that grows and is read from
 * end to end.
 * @param {Map<string, number>} sizes the number of rows by table
 */
export function comparePlans(plans, sizes, kept = readKept(fs.readFileSync(planFile, 'utf8'))) {
  const faults = []
  for (const [key, plan] of plans) {
    for (const table of plan.scanned)
      if (grows(plan, table, sizes)) faults.push(`reads all of ${table}: ${headOf(key, plan)}`)
    const known = kept.get(key)
    if (!known) {
      faults.push(`is not in plans.txt, to which --keep-plans adds it: ${headOf(key, plan)}`)
      continue
    }
    for (const shape of plan.shapes.keys())
      if (!known.has(shape)) faults.push(`has another plan: ${headOf(key, plan)}\n${shape}`)
  }
  return faults
}

/** The statements of the file that a run has not executed: they run rarely, or the product has them no more. */
export const unseenLines = (found, text = fs.readFileSync(planFile, 'utf8')) =>
  blocksOf(text)
    .filter(({ key }) => !found.has(key))
    .map(({ head }) => `was not executed: ${head}`)

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
