import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'
import { CASES } from './alert-cases.js'
import { CALM, STEP_SECONDS } from './calm-day.js'
import { exportedMetrics, knownMetrics, metricsIn, unknownLabelsIn } from './exported-metrics.js'
import { ALERTS, RECORDED } from './rules.js'
import { anchorsOf } from './runbooks.js'

describe('the names in a query', () => {
  it('are its metrics, without functions, labels and words', () => {
    expect(
      metricsIn(
        'sum by (a) (rate(first_total{b="third"}[5m])) / on (a) group_left () second:rate5m > bool 0.5 unless fourth offset 5m',
      ),
    ).toEqual(['first_total', 'second:rate5m', 'fourth'])
  })
})

describe('the labels in a query', () => {
  const exported = new Map([['first_total', new Set(['a', 'b'])]])

  it.each([
    ['sum by (a) (rate(first_total{b="x", a!~"y"}[5m]))', []],
    ['first_total{c="x"}', ['first_total{c}']],
    ['sum by (a, d) (first_total)', ['by (d)']],
    ['sum by (d) (of_others{e="x"})', []],
  ])('of %s are compared with those of our metrics', (query, unknown) => {
    expect(unknownLabelsIn(query, exported)).toEqual(unknown)
  })
})

describe('a rule', () => {
  const known = knownMetrics()
  const exported = exportedMetrics()

  it.each([...RECORDED, ...ALERTS].map(rule => [rule.alert ?? rule.record, rule.expr]))(
    '%s uses only metrics and labels that exist',
    (_, expr) => {
      const used = metricsIn(expr)
      expect(used).not.toEqual([])
      expect(used.filter(name => !known.has(name))).toEqual([])
      expect(unknownLabelsIn(expr, exported)).toEqual([])
    },
  )

  it('is evaluated as often as the tests of the alerts do', () => {
    const { global, scrape_configs } = parse(
      fs.readFileSync(path.join(ROOT, 'deploy/prometheus/prometheus.yaml'), 'utf8'),
    )
    expect(global).toMatchObject({ scrape_interval: `${STEP_SECONDS}s`, evaluation_interval: `${STEP_SECONDS}s` })
    expect(scrape_configs[0]).toMatchObject({ job_name: 'holdfast', honor_labels: true })
  })
})

describe('the alert', () => {
  it.each(ALERTS.map(alert => [alert.alert, alert]))('%s says what it is, and leads to its runbook', (_, alert) => {
    expect(alert.labels).toEqual({ severity: expect.stringMatching(/^(page|ticket)$/) })
    expect(alert.annotations).toEqual({
      summary: expect.any(String),
      description: expect.any(String),
      runbook_url: expect.stringMatching(/^docs\/runbooks\/[a-z-]+\.md#[\p{L}-]+$/u),
    })
    const [file, anchor] = alert.annotations.runbook_url.split('#')
    const page = fs.readFileSync(path.join(ROOT, file), 'utf8')
    expect(anchorsOf(page)).toContain(anchor)
    expect(page).toContain(`\`${alert.alert}\``)
  })

  it('has a case in which it fires', () => {
    const tested = new Set(CASES.flatMap(({ fires }) => fires))
    expect(ALERTS.map(({ alert }) => alert).filter(name => !tested.has(name))).toEqual([])
  })

  it('is tested on metrics that exist', () => {
    const known = knownMetrics()
    const series = Object.keys(CALM)
    expect(series.flatMap(metricsIn).filter(name => !known.has(name))).toEqual([])
    expect(series.flatMap(each => unknownLabelsIn(each))).toEqual([])
  })
})
