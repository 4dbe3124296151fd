import { describe, expect, it } from '@jest/globals'
import { RunningGateway } from '../../test/running-gateway.js'

describe('the client’s address', () => {
  it('is taken from X-Forwarded-For only when a trusted proxy says it', async () => {
    const door = await new RunningGateway().start({ TRUSTED_PROXIES: '127.0.0.1/32, 10.0.0.0/8' })
    try {
      const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, 10.1.2.3' }
      await door.ask('GET', '/api/listings', { headers })
      expect(door.services.received[0]!.caller!.clientIp).toBe('203.0.113.9')
    } finally {
      await door.stop()
    }
  })
})
