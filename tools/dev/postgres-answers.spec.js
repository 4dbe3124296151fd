import net from 'node:net'
import { postgresAnswers } from './postgres-answers.js'

describe('a server on the port of PostgreSQL', () => {
  let server
  afterEach(() => server.close())

  /** Starts a server that sends `answer` to a StartupMessage, or nothing. Answers its port. */
  async function listening(answer) {
    server = net.createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () => answer && socket.end(answer))
    })
    await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
    return server.address().port
  }

  it.each([
    ['asks for a password', Buffer.from([0x52, 0, 0, 0, 8]), true],
    ['says that it is starting', Buffer.from('E\0\0\0\u0010C57P03\0'), false],
    ['has no connection left', Buffer.from('E\0\0\0\u0010SFATAL\0C53300\0\0'), true],
    ['hangs', null, false],
  ])('that %s', async (_, answer, answers) => {
    expect(await postgresAnswers(await listening(answer))).toBe(answers)
  })

  it('that is not there', async () => {
    const port = await listening(null)
    await new Promise(resolve => server.close(resolve))
    expect(await postgresAnswers(port)).toBe(false)
  })
})
