import { telemetryFaults } from './telemetry.js'

it('traces may cost at most the aim, as the median of the pairs, and every command must succeed', () => {
  expect(telemetryFaults([-0.01, 0.05, 0.9], [{ errors: 0 }, { errors: 0 }])).toEqual([])
  expect(telemetryFaults([-0.01, 0.06, 0.07], [{ errors: 0 }])).toEqual(['the median of the cost is above 0.05'])
  expect(telemetryFaults([0], [{ errors: 0 }, { errors: 2, firstProblem: 'HTTP/1.1 500' }])).toEqual([
    '2 errors of money commands: HTTP/1.1 500',
  ])
})
