import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { RUNBOOKS } from '../../e2e/support/runbooks.js'
import { ROOT } from '../dev/settings.js'
import { promtoolFindings, promtoolParses } from './alert-tests.js'
import { DASHBOARDS, queriesOf as queriesOfDashboard } from './dashboards.js'
import { ALERTS } from './rules.js'
import { queriesOf as queriesOfRunbook } from './runbooks.js'

const CONFIGURATION = path.join(ROOT, 'deploy/prometheus/alertmanager.yaml')

describe('Prometheus', () => {
  it('raises the alerts of each case in time, and no other', async () => {
    expect(await promtoolFindings()).toBe('')
  })

  it('would find an alert that does not fire, and one that should not', async () => {
    const quiet = { title: 'nothing is wrong', series: {}, fires: ['RedisDown'] }
    const loud = {
      title: 'a clock is ahead',
      series: { 'clock_offset_seconds{service="gateway"}': { value: 9 } },
      fires: [],
    }
    const findings = await promtoolFindings([quiet, loud])
    expect(findings).toContain('exp: {alertname="RedisDown"} 1E+00\n        got: nil')
    expect(findings).toContain('exp: nil\n        got: {alertname="ClockSkew"} 1E+00')
  })

  it('can read the queries of the dashboards', async () => {
    const queries = Object.values(DASHBOARDS).flatMap(queriesOfDashboard)
    // Grafana fills in its variables.
    expect(await promtoolParses(queries.map(query => query.replaceAll('$__rate_interval', '1m')))).toBe('')
  })

  it('can read the queries of the runbooks', async () => {
    const queries = Object.values(RUNBOOKS).flatMap(queriesOfRunbook)
    expect(queries.length).toBeGreaterThan(5)
    expect(await promtoolParses(queries)).toBe('')
    expect(await promtoolParses(['sum by ('])).toMatch(/parse error/)
  })
})

/** amtool is in Debian's package `prometheus-alertmanager`. */
const amtool = (...args) => spawnSync('amtool', args, { encoding: 'utf8' })

describe('Alertmanager', () => {
  it('reads the configuration', () => {
    const { status, stdout, stderr } = amtool('check-config', CONFIGURATION)
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expect.stringContaining('SUCCESS') })
  })

  it.each(ALERTS.map(({ alert, labels }) => [alert, labels.severity]))('sends %s to %s', (alert, severity) => {
    const { stdout } = amtool(
      'config',
      'routes',
      'test',
      `--config.file=${CONFIGURATION}`,
      `alertname=${alert}`,
      `severity=${severity}`,
    )
    expect(stdout.trim()).toBe(severity)
  })
})
