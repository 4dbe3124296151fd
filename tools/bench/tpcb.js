// TPC-B as pgbench runs it: three updates, a select and an insert in one transaction. Debian's pgbench runs it where it is
// installed. The npm PostgreSQL has no pgbench, so elsewhere a script runs the same transaction.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

const DATABASE = 'tpcb'
const THREADS = 2
const SCRIPT = fileURLToPath(new URL('./tpcb.sql', import.meta.url))
const TELLERS_PER_BRANCH = 10

const installed = () =>
  [...(fs.globSync?.('/usr/lib/postgresql/*/bin/pgbench') ?? []), 'pgbench'].find(
    program => spawnSync(program, ['--version']).status === 0,
  )
const program = installed()

/** Which of the two runs, for the report. */
export const tpcbBy = program
  ? `pgbench (${spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim()})`
  : 'the script'

/**
 * Tables with a branch for each client, so that clients wait for a branch no more than TPC-B intends. pgbench has 100,000
 * accounts a branch.
 */
export async function prepareTpcb(server, { clients: branches, accountsPerBranch }) {
  const accounts = branches * accountsPerBranch
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${DATABASE}`)
  await admin.end()
  const client = new pg.Client({ ...server, database: DATABASE })
  await client.connect()
  // pgbench's own tables and sizes, so that both programs run on the same data.
  for (const statement of [
    'CREATE TABLE pgbench_branches (bid int NOT NULL, bbalance int, filler char(88)) WITH (fillfactor = 100)',
    'CREATE TABLE pgbench_tellers (tid int NOT NULL, bid int, tbalance int, filler char(84)) WITH (fillfactor = 100)',
    'CREATE TABLE pgbench_accounts (aid int NOT NULL, bid int, abalance int, filler char(84)) WITH (fillfactor = 100)',
    'CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))',
    `INSERT INTO pgbench_branches SELECT i, 0, '' FROM generate_series(1, ${branches}) i`,
    `INSERT INTO pgbench_tellers SELECT i, (i - 1) / ${TELLERS_PER_BRANCH} + 1, 0, '' FROM generate_series(1, ${branches * TELLERS_PER_BRANCH}) i`,
    `INSERT INTO pgbench_accounts SELECT i, (i - 1) / ${accountsPerBranch} + 1, 0, '' FROM generate_series(1, ${accounts}) i`,
    'ALTER TABLE pgbench_branches ADD PRIMARY KEY (bid)',
    'ALTER TABLE pgbench_tellers ADD PRIMARY KEY (tid)',
    'ALTER TABLE pgbench_accounts ADD PRIMARY KEY (aid)',
    'VACUUM ANALYZE',
    'CHECKPOINT',
  ])
    await client.query(statement)
  await client.end()
}

/** Transactions per second. */
export async function runTpcb(server, { clients, seconds, accountsPerBranch }) {
  const client = new pg.Client({ ...server, database: DATABASE })
  await client.connect()
  await client.query('VACUUM pgbench_branches')
  await client.query('VACUUM pgbench_tellers')
  await client.end()
  const sizes = { branches: clients, tellers: clients * TELLERS_PER_BRANCH, accounts: clients * accountsPerBranch }
  return program
    ? runPgbench(program, server, { clients, seconds, sizes })
    : runScript(server, { clients, seconds, sizes })
}

async function runPgbench(program, server, { clients, seconds, sizes }) {
  const numbers = Object.entries(sizes).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-n', '-M', 'prepared', '-f', SCRIPT, ...numbers, '-c', clients, '-j', THREADS, '-T', seconds]
  const target = ['-h', server.host, '-p', server.port, '-U', server.user, DATABASE]
  const child = spawn(program, [...options, ...target].map(String), {
    env: { ...process.env, PGPASSWORD: server.password },
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const code = await new Promise(resolve => child.once('close', resolve))
  const rate = Number(/tps = ([\d.]+)/.exec(output)?.[1])
  if (code !== 0 || !rate) throw new Error(`pgbench failed (${code}): ${output.slice(-500)}`)
  return { rate }
}

const STATEMENTS = {
  account: 'UPDATE pgbench_accounts SET abalance = abalance + $1 WHERE aid = $2',
  read: 'SELECT abalance FROM pgbench_accounts WHERE aid = $1',
  teller: 'UPDATE pgbench_tellers SET tbalance = tbalance + $1 WHERE tid = $2',
  branch: 'UPDATE pgbench_branches SET bbalance = bbalance + $1 WHERE bid = $2',
  history: 'INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP)',
}
const upTo = max => 1 + Math.floor(Math.random() * max)

async function runScript(server, { clients, seconds, sizes }) {
  let done = 0
  const end = performance.now() + seconds * 1000
  const client = async () => {
    const connection = new pg.Client({ ...server, database: DATABASE })
    await connection.connect()
    const run = (name, values) => connection.query({ name, text: STATEMENTS[name], values })
    while (performance.now() < end) {
      const [delta, aid, tid, bid] = [
        upTo(10_001) - 5001,
        upTo(sizes.accounts),
        upTo(sizes.tellers),
        upTo(sizes.branches),
      ]
      await connection.query('BEGIN')
      await run('account', [delta, aid])
      await run('read', [aid])
      await run('teller', [delta, tid])
      await run('branch', [delta, bid])
      await run('history', [tid, bid, aid, delta])
      await connection.query('COMMIT')
      done++
    }
    await connection.end()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { rate: done / seconds }
}
