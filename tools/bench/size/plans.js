// The plans of the statements that the product runs, as PostgreSQL's auto_explain writes them into the server's log.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'

const SETTINGS = {
  log_min_duration: '0',
  log_format: 'json',
  log_analyze: 'on',
  log_buffers: 'on',
  log_timing: 'off',
  log_nested_statements: 'on',
  log_parameter_max_length: '0',
}
const PREFIX = '%m [%p] <%a> '
const ENTRY = /^\S+ \S+ \S+ \[\d+\] <([^>]*)> LOG: {2}duration: [\d.]+ ms {2}plan:$/

/** Whose statements count: each connection is named after its service. The queue of timers is BullMQ's, and its tables stay small. */
const SERVICES = ['gateway', 'identity', 'listing', 'escrow', 'dispute', 'messaging']

/** How often new lines of the log are read. It is emptied when it is long, so a later look could miss some. */
const READ_EVERY_MS = 50

/**
 * From now on the server writes the plan of every statement of the services. Their connections are replaced, because the module is
 * loaded when a connection begins. Answers a function that ends the recording and answers what was found.
 * @returns {Promise<() => Promise<PlanReader>>}
 */
export async function recordPlans({ server, database, dataDir }) {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(`LOAD 'auto_explain'`)
  for (const [name, value] of Object.entries(SETTINGS))
    await client.query(`ALTER SYSTEM SET auto_explain.${name} = '${value}'`)
  await client.query(`ALTER SYSTEM SET session_preload_libraries = 'auto_explain'`)
  await client.query(`ALTER SYSTEM SET log_line_prefix = '${PREFIX}'`)
  await client.query('SELECT pg_reload_conf()')
  const plans = new PlanReader()
  const stop = follow(path.join(dataDir, 'logs', 'postgres.log'), text => plans.read(text))
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE '%\\_svc'`)
  return async () => {
    await client.query('ALTER SYSTEM RESET ALL')
    await client.query('SELECT pg_reload_conf()')
    await client.end()
    stop()
    return plans
  }
}

/** Gives what is appended to a file to `take`, also after the file was emptied. */
function follow(file, take) {
  const descriptor = fs.openSync(file, 'r')
  let position = fs.fstatSync(descriptor).size
  const decoder = new TextDecoder()
  const read = () => {
    const { size } = fs.fstatSync(descriptor)
    if (size < position) position = 0
    const bytes = Buffer.alloc(size - position)
    position += fs.readSync(descriptor, bytes, 0, bytes.length, position)
    take(decoder.decode(bytes, { stream: true }))
  }
  const timer = setInterval(read, READ_EVERY_MS)
  return () => {
    clearInterval(timer)
    read()
    fs.closeSync(descriptor)
  }
}

/** Finds the plans in the text of a log, which may come in parts. */
export class PlanReader {
  /** @type {Plans} */
  found = new Map()
  /** How many plans were lost in part when the log was emptied. */
  lost = 0
  #rest = ''
  /** @type {{ application: string, lines: string[] } | null} */
  #entry = null

  read(text) {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('\t')) {
        this.#entry?.lines.push(line)
        continue
      }
      if (this.#entry) this.#end(this.#entry)
      const application = ENTRY.exec(line)?.[1]
      this.#entry = application === undefined ? null : { application, lines: [] }
    }
  }

  #end({ application, lines }) {
    let plan
    try {
      plan = JSON.parse(lines.join('\n'))
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.lost++
      return
    }
    note(this.found, application, plan)
  }
}

/**
 * @typedef {Map<string, { application: string, text: string, calls: number, blocks: number, shapes: Map<string, number>, tables: Set<string>, scanned: Set<string> }>} Plans
 *   by statement. `shapes` counts how often each plan was used, `tables` has those that it reads, `scanned` those that it reads from end to end.
 */
function note(plans, application, { 'Query Text': query, Plan: root }) {
  const [service, , part] = application.split(/[\s-]/)
  if (!SERVICES.includes(service) || part === 'timers') return
  const text = normal(query)
  const key = `${service} ${createHash('sha256').update(text).digest('hex').slice(0, 10)}`
  if (!plans.has(key))
    plans.set(key, {
      application: service,
      text,
      calls: 0,
      blocks: 0,
      shapes: new Map(),
      tables: new Set(),
      scanned: new Set(),
    })
  const plan = plans.get(key)
  plan.calls++
  plan.blocks += (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0)
  const lines = []
  shape(root, 0, lines, plan)
  const drawn = lines.join('\n')
  plan.shapes.set(drawn, (plan.shapes.get(drawn) ?? 0) + 1)
}

/** A statement on one line. Lists of parameters differ in length between calls. */
const normal = query =>
  query
    .replace(/\s+/g, ' ')
    .replace(/\$\d+(, \$\d+)+/g, '$…')
    .replace(/\$\d+/g, '$n')
    .replace(/'\d+'/g, `'n'`)
    .trim()

/** A plan as indented lines: what each node does, and by which index. No costs and no numbers of rows, which always differ. */
function shape(node, depth, lines, plan) {
  const of = node['Relation Name'] ?? node['CTE Name'] ?? node['Function Name']
  const name = [node['Join Type'] && node['Join Type'] !== 'Inner' ? node['Join Type'] : '', node['Node Type']]
    .filter(Boolean)
    .join(' ')
  const subplan = node['Subplan Name'] ? `${node['Subplan Name'].replace(/\d+/g, 'n')}: ` : ''
  lines.push(
    `${'  '.repeat(depth)}${subplan}${name}${node['Index Name'] ? ` by ${node['Index Name']}` : ''}${of ? ` on ${of}` : ''}`,
  )
  if (node['Relation Name']) plan.tables.add(node['Relation Name'])
  if (node['Node Type'] === 'Seq Scan') plan.scanned.add(node['Relation Name'])
  for (const child of node.Plans ?? []) shape(child, depth + 1, lines, plan)
}
