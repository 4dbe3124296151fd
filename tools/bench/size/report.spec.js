import { resultFaults } from './report.js'

const rounds = (...p99s) => p99s.map(p99 => ({ p99, errors: 0 }))

it('a load may be slower by the aim, as the median of the rounds', () => {
  const browse = { small: rounds(10, 10, 10), large: rounds(90, 12, 11) }
  expect(resultFaults({ browse })).toEqual([])
  expect(resultFaults({ browse, money: { small: browse.small, large: rounds(90, 13, 11) } })).toEqual([
    'the ratio of the p99 of money is above 1.2',
  ])
})

it('every request of both worlds must succeed', () => {
  const failed = [{ p99: 10, errors: 2, firstProblem: 'HTTP/1.1 500 Internal Server Error\r\n' }]
  expect(
    resultFaults({ money: { small: rounds(10), large: failed }, browse: { small: failed, large: rounds(10) } }),
  ).toEqual([
    '2 errors of money in the large world: HTTP/1.1 500 Internal Server Error',
    '2 errors of browse in the small world: HTTP/1.1 500 Internal Server Error',
  ])
  const unanswered = [{ p99: Number.NaN, errors: 9 }]
  expect(resultFaults({ money: { small: rounds(10), large: unanswered } })).toEqual([
    '9 errors of money in the large world: no answer in time',
    'the ratio of the p99 of money is above 1.2',
  ])
})
