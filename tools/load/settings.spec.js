import { readSettings } from './settings.js'

describe('the settings of a load', () => {
  it('are the scenario, and what the environment says', () => {
    expect(readSettings(['buy'], {})).toEqual({
      scenario: 'buy',
      rate: null,
      shareOfPeak: null,
      duration: null,
      baseUrl: null,
      peopleFile: null,
    })
    const env = { RATE: '5', DURATION: '20s', BASE_URL: 'https://staging.example/', PEOPLE_FILE: 'people.json' }
    expect(readSettings(['soak'], env)).toMatchObject({ rate: 5, duration: '20s', baseUrl: 'https://staging.example' })
    expect(readSettings(['mixed'], { RATE: '70%' })).toMatchObject({ rate: null, shareOfPeak: 0.7 })
  })

  it.each([
    [[], {}, 'one of browse'],
    [['sell'], {}, 'one of browse'],
    [['buy', 'chat'], {}, 'one of browse'],
    [['buy'], { RATE: 'fast' }, 'RATE'],
    [['buy'], { RATE: '100%' }, 'RATE'],
    [['spike'], { RATE: '70%' }, 'no rate'],
    [['buy'], { DURATION: '30' }, 'DURATION'],
    [['buy'], { BASE_URL: 'https://staging.example' }, 'set together'],
  ])('%j with %j are refused', (args, env, reason) => {
    expect(() => readSettings(args, env)).toThrow(reason)
  })
})
