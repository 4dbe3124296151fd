import assert from 'node:assert/strict'
import { awayFromEndOfStep, codeOf } from '../support/authenticator.js'
import { Deal } from '../support/deal.js'
import { BASE_URL, required } from '../support/environment.js'
import { eventually } from '../support/eventually.js'
import { PASSWORD, Person } from '../support/person.js'
import {
  databaseUrl,
  dataDir,
  failedRefundOf,
  opsAddressOf,
  removeWaitingEvent,
  writeDeadLetter,
  writeWaitingEvent,
} from '../support/product-data.js'
import { command, run } from '../support/runbooks.js'
import { journey } from '../support/runner.js'
import { confirmCard, mailAbout } from '../support/sandbox.js'

/** The programs that an operator has and the product does not bring. */
export const OPERATORS_PROGRAMS = ['bash', 'curl', 'psql']

/** A card that pays, and to which the bank returns refunds. */
const REFUNDS_FAIL = '4000000000005126'

/** Runs a command with the login of the database's owner. Resolves with what it prints. */
async function asOwner(script, more = {}) {
  const { stdout } = await run(script, { ...more, env: { DATABASE_URL: databaseUrl() } })
  return stdout
}
const about = person => ({ '<email>': person.email, '<reason>': 'A journey asks for it' })
const jsonLines = text =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

/** Runs curl in a folder that keeps the cookies. Resolves with the JSON that it prints. */
async function curl(script) {
  const { stdout } = await run(script, { cwd: dataDir(), env: { HOLDFAST: BASE_URL }, input: `${PASSWORD}\n` })
  return stdout === '' ? null : JSON.parse(stdout)
}
const signIn = person => curl(command('README.md', 'read -rsp', { 'you@example.com': person.email }))

/** A user with an authenticator app, whom an operator makes an admin. */
async function newAdmin() {
  const admin = await Person.signUp('Olga')
  const { secret } = await admin.expect(200, 'POST', '/api/auth/second-factor/authenticator')
  await awayFromEndOfStep()
  const body = { code: codeOf(secret, -1) }
  await admin.expect(200, 'POST', '/api/auth/second-factor/authenticator/confirm', { body })
  const said = await asOwner(command('README.md', 'make-admin.js', about(admin)))
  assert.equal(said, `${admin.username} is an admin now.\n`)
  return Object.assign(admin, { secret })
}

/** A refund that the buyer's bank has returned. Resolves with its id. */
async function failedRefund() {
  const deal = await Deal.open()
  await confirmCard(await deal.beginPayment(), REFUNDS_FAIL)
  await deal.reaches('paid')
  await deal.seller.expect(200, 'POST', `${deal.path}/refund`)
  return eventually('the refund has failed', () => failedRefundOf(deal.id))
}

export const runbooks = [
  journey(
    'an operator’s admin signs in with curl and a code, sends a failed refund again, and loses the second factor',
    async () => {
      const [admin, refund] = await Promise.all([newAdmin(), failedRefund()])
      assert.equal((await signIn(admin)).code, 'SECOND_FACTOR_REQUIRED')
      await awayFromEndOfStep()
      const code = codeOf(admin.secret, 0)
      const { user } = await curl(command('README.md', 'second-step', { 123456: code }))
      assert.equal(user.role, 'admin')
      const again = await curl(command('refunds.md', 'send-again', { '<id>': refund }))
      assert.equal(again.id, refund)
      const balance = await curl(command('README.md', 'trial-balance'))
      assert.ok(JSON.stringify(balance).includes('provider_clearing'))

      const said = await asOwner(command('lost-second-factor.md', 'remove-second-factors.js', about(admin)))
      assert.equal(said, `${admin.username} has no second factor any more, and is signed out.\n`)
      assert.equal((await signIn(admin)).user.id, admin.id)
    },
  ),
  journey('an operator closes an account, and finds what the database still has of the person', async () => {
    const person = await Person.signUp('Zoltan')
    const search = command('closed-accounts.md', 'find-text.js', {
      'ana@example.com': person.email,
      'Ana Ruiz': person.username,
    })
    const tables = async () => jsonLines(await asOwner(search)).map(({ table }) => table)
    assert.ok((await tables()).includes('identity.users'))
    await asOwner(command('closed-accounts.md', 'close-account.js', about(person)))
    await mailAbout(person.email, 'Your account is closed')
    assert.ok(!(await tables()).includes('identity.users'))
  }),
  journey('an operator replays dead letters, and lets a partition go on without an event', async () => {
    const list = async () =>
      jsonLines(await asOwner(command('dead-letters.md', 'node libs/events/dist/embedded/dead-letters.main.js')))
    const find = async eventId => (await list()).find(each => each.eventId === eventId)
    const isReplayed = eventId => async () => (await find(eventId)).replayedAt !== null
    const one = await writeDeadLetter()
    await asOwner(command('dead-letters.md', 'replay <id>', { '<id>': String((await find(one)).id) }))
    await eventually('the dead letter was replayed', isReplayed(one))
    const other = await writeDeadLetter()
    await asOwner(command('dead-letters.md', 'replay --all'))
    await eventually('each dead letter was replayed', isReplayed(other))

    const group = 'a-journey'
    const eventId = await writeWaitingEvent(group)
    const waiting = jsonLines(await asOwner(command('stuck-partition.md', 'main.js waiting')))
    assert.equal(waiting.find(each => each.group === group).eventId, eventId)
    await asOwner(command('stuck-partition.md', 'main.js bury', { '<group>': group, '<eventId>': eventId }))
    assert.ok(await removeWaitingEvent(group), 'the event is to become a dead letter')
  }),
  journey('an operator reaches the database of the product, compares clocks, and asks a replica', async () => {
    const settings = command('README.md', 'setting()')
    const { stdout } = await run(settings, {
      env: { DATA_DIR: dataDir() },
      input: 'SELECT count(*) FROM escrow.heartbeat',
    })
    assert.match(stdout, /\(1 row\)/)
    const [database, machine] = (await asOwner(command('a-clock-is-wrong.md', 'clock_timestamp'))).trim().split('\n')
    assert.ok(Math.abs(Number(database) - Number(machine)) < 5, `${database} and ${machine} are about the same`)
    const [host, port] = opsAddressOf('escrow-svc')
    const readiness = await curl(
      command('errors-and-slow-answers.md', 'readyz', { '<host>': host, '<OPS_PORT>': port }),
    )
    assert.equal(readiness.status, 'ok')
  }),
]

export const runbooksWithTraces = [
  journey('an operator finds the trace of a request by the id of its answer', async () => {
    const { headers } = await new Person().call('GET', '/api/listings')
    const script = command('errors-and-slow-answers.md', 'api/traces', {
      '01a2148e-7311-702d-ac60-94536fc59be8': String(headers.get('x-request-id')),
      'http://<jaeger>:16686': required('JAEGER_URL'),
    })
    await eventually('Jaeger has the trace', async () => (await curl(script)).data?.length === 1, { withinMs: 30_000 })
  }),
]
