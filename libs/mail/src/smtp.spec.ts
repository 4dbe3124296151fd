import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { MailRefused, Smtp } from './smtp.js'

const RECIPIENT = 'ana@example.com'
const mail = { subject: 'S', text: 'T', html: '<p>T' }

/** What the server does at a command; `data` is the end of the mail. A text is its answer. */
type Script = Readonly<Record<string, string | ((socket: Socket) => void)>>
const POLITE: Script = {
  connect: '220 mail.example',
  EHLO: '250-mail.example\r\n250 AUTH PLAIN',
  AUTH: '235 welcome',
  MAIL: '250 go on',
  RCPT: '250 go on',
  DATA: '354 go on',
  data: '250 taken',
  RSET: '250 go on',
  QUIT: '221 bye',
}

let server: Server | undefined
let smtp: Smtp | undefined
const sockets = new Set<Socket>()
afterEach(() => {
  smtp?.close()
  server?.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

/** A mail server that follows a script. @returns what it was told, command by command */
async function serverWith(script: Script): Promise<string[]> {
  const told: string[] = []
  server = createServer(socket => {
    sockets.add(socket)
    const act = (step: string) => {
      told.push(step)
      const action = { ...POLITE, ...script }[step]
      if (typeof action === 'function') action(socket)
      else if (action) socket.write(`${action}\r\n`)
    }
    let rest = ''
    let isData = false
    socket.on('error', () => told.push('error'))
    socket.on('data', chunk => {
      rest += chunk
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isData && line !== '.') continue
        act(isData ? 'data' : line.slice(0, 4).toUpperCase())
        isData = !isData && line === 'DATA'
      }
    })
    act('connect')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return told
}

async function send(sendWithinMs?: number): Promise<unknown> {
  const { port } = server!.address() as AddressInfo
  const config = { NODE_ENV: 'test', SMTP_URL: `smtp://user:secret@127.0.0.1:${port}`, MAIL_FROM: 'H <h@example.com>' }
  smtp = new Smtp(config, sendWithinMs)
  return smtp.send('1', RECIPIENT, mail).catch((error: unknown) => error)
}

describe('a mail', () => {
  test('is sent to a server that takes it', async () => {
    const told = await serverWith({})
    expect(await send()).toBeUndefined()
    expect(told.slice(0, 7)).toEqual(['connect', 'EHLO', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'data'])
  })

  test.each([
    '550 no such mailbox',
    '553 no such mailbox',
    '550 5.1.1 no such mailbox',
    '550-5.1.1 no such mailbox\r\n550 5.1.1 see our pages',
    '556 5.1.10 its domain takes no mail',
  ])('is refused for good by the answer to RCPT: %s', async answer => {
    await serverWith({ RCPT: answer })
    expect(await send()).toBeInstanceOf(MailRefused)
  })

  test.each([
    ['connect', '554 no service here'],
    ['EHLO', '550 not you'],
    ['AUTH', '535 wrong password'],
    ['MAIL', '550 not this sender'],
    ['RCPT', '451 busy'],
    ['RCPT', '554 your address is on a block list'],
    ['RCPT', '550 5.1.8 the domain of the sender does not exist'],
    ['RCPT', '550 5.2.2 the mailbox is full'],
    ['RCPT', '550 5.7.1 relaying denied'],
    ['DATA', '550 no'],
    ['data', '451 busy'],
    ['data', '554 Message rejected: Email address is not verified'],
    ['data', '550 5.1.1 no such sender'],
  ])('can be sent later after the answer to %s: %s', async (step, answer) => {
    await serverWith({ [step]: answer, ...(step === 'EHLO' ? { HELO: answer } : {}) })
    const error = await send()
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(MailRefused)
  })

  test.each([
    ['ends', (socket: Socket) => void socket.end()],
    ['breaks', (socket: Socket) => void socket.resetAndDestroy()],
  ])('is given to the server once in an attempt when the connection %s before the answer', async (_, end) => {
    const told = await serverWith({ data: end })
    expect(await send()).toBeInstanceOf(Error)
    expect(told.filter(step => step === 'data')).toHaveLength(1)
  })

  test('is given up in time by an attempt at a server that sends its answer slowly', async () => {
    await serverWith({
      EHLO: socket => {
        const timer = setInterval(() => socket.write('250-more\r\n'), 20)
        socket.on('close', () => clearInterval(timer))
      },
    })
    expect(await send(200)).toMatchObject({ message: expect.stringContaining('aborted') })
  })
})

test('an error has no address of a person', async () => {
  await serverWith({ RCPT: `550 <${RECIPIENT.toUpperCase()}>: there is no ${RECIPIENT} here` })
  const error = (await send()) as Error
  expect(inspect(error).toLowerCase()).not.toContain(RECIPIENT)
  expect(error.message).toContain('there is no <address> here')
})
