import { setTimeout as sleep } from 'node:timers/promises'
import { createLog, currentRequestId, requestContext } from './logging.js'

/** A log whose lines can be read. */
function readable() {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ write: line => void lines.push(JSON.parse(line)) })
  log.level = 'trace'
  return { log, lines }
}

describe('the log', () => {
  test('writes the request id of the running call or event, also after an await', async () => {
    const { log, lines } = readable()
    const work = async (requestId: string) =>
      requestContext.run({ requestId }, async () => {
        await sleep(5)
        log.info('inside')
        return currentRequestId()
      })
    expect(await Promise.all([work('r-1'), work('r-2')])).toEqual(['r-1', 'r-2'])
    log.info('outside')
    expect(lines.map(line => line.requestId)).toEqual(['r-1', 'r-2', undefined])
    expect(lines[0]).toMatchObject({ level: 'info', msg: 'inside', time: expect.stringMatching(/Z$/) })
  })

  test('removes secrets that are logged by mistake', () => {
    const { log, lines } = readable()
    const secret = 'hunter2'
    log.info({ password: secret, headers: { cookie: secret, 'set-cookie': secret, authorization: secret } }, 'a')
    log.child({ part: 'x' }).info({ body: secret, user: { token: secret, name: 'Ana' }, clientSecret: secret }, 'b')
    expect(JSON.stringify(lines)).not.toContain(secret)
    expect(lines[1]).toMatchObject({ user: { name: 'Ana', token: '[redacted]' } })
  })

  test('describes errors', () => {
    const { log, lines } = readable()
    log.error({ err: new Error('boom') }, 'failed')
    expect(lines[0]).toMatchObject({
      err: { type: 'Error', message: 'boom', stack: expect.stringContaining('logging.spec') },
    })
  })
})
