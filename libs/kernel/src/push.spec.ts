import { isPushService } from './push.js'

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://jmt17.google.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
])('%s is a push service', endpoint => {
  expect(isPushService(endpoint)).toBe(true)
})

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/abc',
  'https://google.com/fcm/send/abc',
  'https://fcm.googleapis.com.evil.example/abc',
  'https://evil.example/?fcm.googleapis.com',
  'https://evilfcm.googleapis.com.example/a',
  'https://fcm.googleapis.com@169.254.169.254/abc',
  'https://user:pass@fcm.googleapis.com/abc',
  'https://push.apple.com.evil.example/',
  'https://127.0.0.1/abc',
  'https://[::1]/abc',
  'file:///etc/passwd',
  'nothing',
])('%s is none', endpoint => {
  expect(isPushService(endpoint)).toBe(false)
})

test('an origin that the configuration names is one, and no other port of its host', () => {
  const more = ['http://127.0.0.1:4100']
  expect(isPushService('http://127.0.0.1:4100/push/a', more)).toBe(true)
  expect(isPushService('http://127.0.0.1:4101/push/a', more)).toBe(false)
  expect(isPushService('http://127.0.0.1:4100@evil.example/push/a', more)).toBe(false)
})
