import { Readable } from 'node:stream'
import { UnreadAnswers } from './unread-answers.js'

/** An answer with this many unread bytes, whose client does not read. */
function answerOf(unread: UnreadAnswers, client: string, bytes: number): Readable {
  const answer = new Readable({ read: () => {} })
  answer.on('error', () => {})
  unread.add(answer, client)
  answer.push(Buffer.alloc(bytes))
  unread.keepWithinLimit()
  return answer
}

describe('answers that clients do not read', () => {
  it('are kept as long as all of them together are within the limit', () => {
    const unread = new UnreadAnswers(300)
    const answers = ['ana', 'ben', 'ana'].map(client => answerOf(unread, client, 100))
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  })

  it('are ended above the limit: the oldest of the client with the most unread bytes', () => {
    const unread = new UnreadAnswers(300)
    const honest = answerOf(unread, 'ana', 100)
    const greedy = [1, 2, 3, 4].map(() => answerOf(unread, 'ben', 100))
    expect(greedy.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false])
    expect(honest.destroyed).toBe(false)
  })

  it('do not count any more once they are read or closed', async () => {
    const unread = new UnreadAnswers(300)
    const answers = [1, 2, 3].map(() => answerOf(unread, 'ana', 100))
    answers[0]!.read()
    expect(answerOf(unread, 'ana', 100).destroyed).toBe(false)
    answers[1]!.destroy()
    await new Promise(resolve => answers[1]!.once('close', resolve))
    expect(answerOf(unread, 'ana', 100).destroyed).toBe(false)
    expect(answers.map(({ destroyed }) => destroyed)).toEqual([false, true, false])
  })
})
