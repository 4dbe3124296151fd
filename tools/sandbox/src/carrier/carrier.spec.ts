import { createHmac } from 'node:crypto'
import { CARRIER_KEY, CARRIER_SECRET, type Running, startSandbox, until } from '../../test/fixture.js'

let running: Running
beforeEach(async () => {
  running = await startSandbox()
})
afterEach(() => running.close())

interface Tracker {
  id: string
  carrier: string
  status: string
  tracking_code: string
  est_delivery_date: string | null
  tracking_details: { status: string; datetime: string; message: string; tracking_location: { city: string | null } }[]
}

async function carrier(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  key = CARRIER_KEY,
): Promise<{ status: number; body: Tracker & { trackers: Tracker[]; error: { code: string } } }> {
  const answer = await fetch(`${running.origin}/v2${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as Tracker & { trackers: Tracker[]; error: { code: string } },
  }
}

const track = (code = '1Z999AA10123456784') => carrier('POST', '/trackers', { tracking_code: code, carrier: 'UPS' })
const move = (status: string, more: object = {}) =>
  running.control('POST', '/parcels/1Z999AA10123456784/move', { status, ...more })

describe('a tracker', () => {
  it('of a number without a scan is pre_transit, and the same number has one tracker', async () => {
    const { status, body } = await track()
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 'pre_transit', tracking_details: [], est_delivery_date: null })
    expect((await track(' 1z999aa1 0123456784')).body.id).toBe(body.id)
    expect((await carrier('GET', '/trackers?tracking_code=1Z999AA10123456784')).body.trackers).toHaveLength(1)
  })

  it('follows the parcel from scan to scan, with the time of each', async () => {
    const { id } = (await track()).body
    const before = Date.now()
    for (const step of ['accepted', 'in_transit', 'out_for_delivery', 'delivered']) await move(step)
    const { body } = await carrier('GET', `/trackers/${id}`)
    expect(body.status).toBe('delivered')
    expect(body.tracking_details.map(scan => scan.status)).toEqual([
      'in_transit',
      'in_transit',
      'out_for_delivery',
      'delivered',
    ])
    for (const scan of body.tracking_details) expect(Date.parse(scan.datetime)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.est_delivery_date ?? '')).toBeGreaterThan(before)
  })

  it('of a lost parcel says failure', async () => {
    const { id } = (await track()).body
    await move('lost')
    expect((await carrier('GET', `/trackers/${id}`)).body.status).toBe('failure')
  })

  it('has the scans from before it was created, however old', async () => {
    await move('delivered', { datetime: '2020-01-02T03:04:05Z' })
    const { body } = await track()
    expect(body).toMatchObject({
      status: 'delivered',
      tracking_details: [{ status: 'delivered', datetime: '2020-01-02T03:04:05.000Z' }],
    })
  })

  it('posts a signed webhook with each change', async () => {
    const { id } = (await track()).body
    await move('accepted')
    await until(() => running.receiver.types().includes('tracker.updated'))
    const { body, headers, path } = running.receiver.received.find(each => each.body.includes('tracker.updated'))!
    expect(path).toBe('/carrier')
    const expected = createHmac('sha256', CARRIER_SECRET).update(body).digest('hex')
    expect(headers['x-hmac-signature']).toBe(`hmac-sha256-hex=${expected}`)
    expect(JSON.parse(body)).toMatchObject({
      object: 'Event',
      description: 'tracker.updated',
      previous_attributes: { status: 'pre_transit' },
      result: { id, status: 'in_transit' },
    })
  })
})

describe('the carrier', () => {
  it('is found by the form of the number when none is named', async () => {
    const body = { tracking_code: '7946 1110 2087' }
    expect((await carrier('POST', '/trackers', body)).body.carrier).toBe('FedEx')
    expect((await carrier('POST', '/trackers', { tracking_code: 'HF1' })).body.carrier).toBe('Unknown')
  })

  it.each([
    ['a wrong key', () => carrier('GET', '/trackers', undefined, 'other'), 401],
    ['an unknown tracker', () => carrier('GET', '/trackers/trk_none'), 404],
    ['an empty number', () => carrier('POST', '/trackers', { tracking_code: ' ' }), 422],
    [
      'a carrier that it does not know',
      () => carrier('POST', '/trackers', { tracking_code: 'HF1', carrier: 'Fed Ex' }),
      422,
    ],
    [
      "another carrier's number",
      () => carrier('POST', '/trackers', { tracking_code: '794611102087', carrier: 'UPS' }),
      422,
    ],
    ['no body', () => carrier('POST', '/trackers'), 422],
    ['a body that is no object', () => carrier('POST', '/trackers', 'x'), 422],
  ])('refuses %s', async (_what, ask, status) => {
    const answer = await ask()
    expect(answer.status).toBe(status)
    expect(typeof answer.body.error.code).toBe('string')
  })

  it('fails and drops the connection when a fault is set', async () => {
    await running.control('POST', '/faults', { kind: 'error', path: '/v2/' })
    expect((await track()).status).toBe(500)
    await running.control('POST', '/faults', { kind: 'refuse', path: '/v2/' })
    await expect(track()).rejects.toThrow()
    expect((await track()).status).toBe(201)
  })
})
