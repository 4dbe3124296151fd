import { deviceName } from './device-name.js'

test('a session is named by browser and system', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36')).toBe(
    'Chrome on Linux',
  )
  expect(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1')).toBe(
    'Safari on iPhone',
  )
  expect(deviceName('Mozilla/5.0 (Windows NT 10.0) Chrome/156.0 Safari/537.36 Edg/156.0')).toBe('Edge on Windows')
})

test('what says nothing of itself is unknown', () => {
  expect(deviceName(null)).toBe('Unknown browser')
  expect(deviceName('curl/8.5')).toBe('Unknown browser')
})
