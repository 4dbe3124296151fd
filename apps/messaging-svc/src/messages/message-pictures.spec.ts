import { expect, test } from 'vitest'
import { MessagePictures } from './message-pictures.js'

test('the pictures of a sender who has left while they were decoded are not posted', async () => {
  const left = new AbortController()
  const encodeList = async () => {
    left.abort()
    return []
  }
  const pictures = new MessagePictures(null as never, { encodeList } as never, null as never, null as never)
  await expect(pictures.decode([], { userId: 'ana', left: left.signal })).rejects.toThrow('aborted')
})
