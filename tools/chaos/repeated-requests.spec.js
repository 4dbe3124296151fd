import http from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { listen } from '../dev/listen.js'
import { AT_ONCE, RepeatedRequests, send, sendAtRate } from './repeated-requests.js'

it('no more than a number of requests are under way, and the others follow when one is done or refused', async () => {
  const requests = new RepeatedRequests()
  const answers = []
  const attempt = () => new Promise(resolve => answers.push(resolve))
  const done = Array.from({ length: AT_ONCE + 2 }, (_, n) => requests.untilDone(`request ${n}`, attempt))
  await new Promise(setImmediate)
  expect(answers).toHaveLength(AT_ONCE)
  answers[0]({ ok: true, status: 200, text: '' })
  answers[1]({ ok: false, status: 400, text: 'no' })
  expect(await done[0]).toMatchObject({ status: 200 })
  expect(await done[1]).toBeNull()
  await new Promise(setImmediate)
  expect(answers).toHaveLength(AT_ONCE + 2)
  for (const answer of answers) answer({ ok: true, status: 200, text: '' })
  await Promise.all(done)
  expect(requests.refusals).toEqual(['request 1: 400 no'])
})

it('a request is sent again when its connection had carried answers and ends without one, and not when it was new', async () => {
  const connections = new Map()
  /** Ends each connection instead of its second answer, and `isBroken` ends it instead of the first. */
  let isBroken = false
  const server = http.createServer(({ socket }, response) => {
    const count = (connections.get(socket) ?? 0) + 1
    connections.set(socket, count)
    if (count === 2 || isBroken) socket.destroy()
    else response.end('done')
  })
  const port = await listen(server)
  try {
    const url = `http://127.0.0.1:${port}/`
    expect(await send(url, {})).toMatchObject({ ok: true, text: 'done' })
    // The connection is free for the next request a moment after the answer.
    await setTimeout(50)
    expect(await send(url, {})).toMatchObject({ ok: true, text: 'done' })
    expect([...connections.values()]).toEqual([2, 1])
    isBroken = true
    connections.clear()
    expect(await send(url, {})).toMatchObject({
      ok: false,
      status: null,
      text: expect.stringMatching(/^no answer after \d+ ms: other side closed/),
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

it('an attempt that failed is kept, and one that came too early or succeeded is not', async () => {
  const requests = new RepeatedRequests()
  const answers = [
    { ok: false, status: null, text: 'no answer' },
    { ok: false, status: 503, text: 'later' },
    { ok: false, status: 404, text: 'TOO_EARLY' },
    { ok: true, status: 200, text: '' },
  ]
  let attempts = 0
  const done = await requests.untilDone('request', async () => answers[attempts++], {
    isTooEarly: text => text === 'TOO_EARLY',
  })
  expect(done).toEqual(answers[3])
  expect([requests.failures, requests.refusals]).toEqual([['request: no answer', 'request: 503 later'], []])
})

it('requests at a rate are sent once each, and it is known how long each took and what it met', async () => {
  const server = http.createServer(({ url }, response) => {
    if (url !== '/slow') response.writeHead(url === '/refused' ? 503 : 200)
    setTimeout(url === '/slow' ? 100 : 0).then(() => response.end(url))
  })
  const port = await listen(server)
  try {
    const origin = `http://127.0.0.1:${port}`
    const over = new AbortController()
    const paths = ['/right', '/refused', '/slow']
    const sent = sendAtRate({ perSecond: 50, signal: over.signal }, n => {
      if (n === paths.length - 1) over.abort()
      return { url: origin + paths[n], method: 'GET', headers: {} }
    })
    const [right, refused, slow] = await sent
    expect(right).toMatchObject({ what: 'GET /right', problem: null })
    expect(refused.problem).toBe('503 /refused')
    expect([slow.problem, slow.ms > 90]).toEqual([null, true])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
