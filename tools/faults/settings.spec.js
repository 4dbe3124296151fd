import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALERTS, RULE_FILES } from '../deploy/rules.js'
import { ROOT } from '../dev/settings.js'
import { FAULTS } from './faults.js'
import { configurationFor } from './prometheus.js'
import { readSettings } from './settings.js'

describe('the arguments of npm run faults', () => {
  it('choose faults by name, or all', () => {
    expect(readSettings([])).toBe(FAULTS)
    expect(readSettings(['--only', 'lag,imbalance']).map(({ name }) => name)).toEqual(['lag', 'imbalance'])
    expect(readSettings(['--help'])).toBeNull()
  })

  it.each([[['--only']], [['--only', 'rain']], [['--only', 'lag,rain']], [['--all']]])('%j are refused', args =>
    expect(() => readSettings(args)).toThrow('unknown'),
  )
})

it('a fault expects alerts that exist', () => {
  const known = ALERTS.map(({ alert }) => alert)
  expect(FAULTS.flatMap(({ alert, also }) => [alert, ...also]).filter(name => !known.includes(name))).toEqual([])
})

it('Prometheus has the rules and intervals of deploy/prometheus', () => {
  const config = fs.readFileSync(path.join(ROOT, 'deploy/prometheus/prometheus.yaml'), 'utf8')
  expect(configurationFor(config, [{ job_name: 'redis' }])).toMatchObject({
    global: { scrape_interval: '15s', evaluation_interval: '15s' },
    rule_files: RULE_FILES,
    scrape_configs: [{ job_name: 'holdfast', honor_labels: true }, { job_name: 'redis' }],
  })
})
