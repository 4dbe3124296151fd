import { ApiError } from '@holdfast/http-client/api-error'
import { refusalWords } from './refusal-words.js'

const refused = (status: number, seconds?: number) =>
  new ApiError({
    status,
    code: 'RATE_LIMITED',
    serverMessage: 'The server’s words.',
    details: null,
    requestId: null,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  })

test.each([
  [refused(429, 12), 'Too many attempts. Please try again in a minute.'],
  [refused(429, 61), 'Too many attempts. Please try again in 2 minutes.'],
  [refused(429), 'The server’s words.'],
  [refused(503, 12), 'The server’s words.'],
])('a refused attempt says how long to wait, when the server does', (error, words) => {
  expect(refusalWords(error)).toBe(words)
})
