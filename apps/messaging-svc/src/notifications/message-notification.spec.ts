import { describe, expect, test } from '@jest/globals'
import { excerptOf, MAX_EXCERPT_LENGTH, messageNotification } from './message-notification.js'

describe('the notification of a message', () => {
  test('contains the sender’s role, the deal and the beginning of the message', () => {
    const deal = { buyerId: 'b', title: 'Camera' }
    expect(messageNotification(deal, 'b', 'Is it\nstill there?')).toEqual({
      title: 'New message from the buyer',
      text: 'Camera: Is it still there?',
    })
    expect(messageNotification(deal, 's', 'Yes').title).toBe('New message from the seller')
  })

  test('cuts a long message, but never inside a character', () => {
    expect(excerptOf('x'.repeat(MAX_EXCERPT_LENGTH))).toBe('x'.repeat(MAX_EXCERPT_LENGTH))
    expect(excerptOf('x'.repeat(4000))).toBe(`${'x'.repeat(MAX_EXCERPT_LENGTH - 1)}…`)
    const family = '👨‍👩‍👧‍👦'
    expect(excerptOf(family.repeat(500))).toMatch(/^(👨‍👩‍👧‍👦)+…$/u)
  })
})
