import { encodeFrame, FrameReader, MAX_HEAD_BYTES, MalformedFrame } from './batch-frames.js'

const reader = (maxBodyBytes = 100) => new FrameReader<Record<string, unknown>>(maxBodyBytes)
const bytes = Buffer.concat([
  ...encodeFrame({ index: 0, name: 'Zoë\n' }, Buffer.from('{"a":"b"}')),
  ...encodeFrame({ index: 1 }, null),
  ...encodeFrame({ index: 2 }, Buffer.from([0, 10, 255, 32])),
])
const expected = [
  [{ index: 0, name: 'Zoë\n' }, Buffer.from('{"a":"b"}')],
  [{ index: 1 }, Buffer.alloc(0)],
  [{ index: 2 }, Buffer.from([0, 10, 255, 32])],
]

describe('frames', () => {
  test.each([1, 2, 3, 7, 1000])('are read from pieces of %i bytes as they were written', size => {
    const frames = reader()
    const read = []
    for (let at = 0; at < bytes.length; at += size) read.push(...frames.push(bytes.subarray(at, at + size)))
    expect(read.map(({ head, body }) => [head, Buffer.from(body)])).toEqual(expected)
    expect(frames.isAtEnd).toBe(true)
  })

  test('that are cut off are noticed', () => {
    const frames = reader()
    frames.push(bytes.subarray(0, bytes.length - 1))
    expect(frames.isAtEnd).toBe(false)
  })

  test.each([
    ['an error page of a proxy', '<html>Bad gateway</html>\n'],
    ['a head that is not JSON', '0 {\n'],
    ['a head that is not an object', '0 7\n'],
    ['a negative length', '-1 {}\n'],
    ['a length beyond the limit', '101 {}\n'],
    ['a head without an end', `0 {"a":"${'x'.repeat(MAX_HEAD_BYTES)}`],
  ])('%s is refused', (_, text) => {
    expect(() => reader().push(Buffer.from(text))).toThrow(MalformedFrame)
  })
})
