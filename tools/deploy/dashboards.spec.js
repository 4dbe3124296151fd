import fs from 'node:fs'
import path from 'node:path'
import { DASHBOARDS, FOLDER, queriesOf } from './dashboards.js'
import { exportedMetrics, knownMetrics, metricsIn, unknownLabelsIn } from './exported-metrics.js'

const ALL = Object.values(DASHBOARDS).flatMap(queriesOf)

it('there is a file for each dashboard, and no other', () => {
  expect(fs.readdirSync(FOLDER).toSorted()).toEqual(Object.keys(DASHBOARDS).toSorted())
})

describe.each(Object.entries(DASHBOARDS))('the dashboard %s', (name, dashboard) => {
  it('is in its file as the script writes it: node tools/deploy/dashboards.js', () => {
    expect(JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8'))).toEqual(dashboard)
  })

  it('shows metrics and labels that exist', () => {
    const known = knownMetrics()
    const used = queriesOf(dashboard).flatMap(metricsIn)
    expect(used).not.toEqual([])
    expect(used.filter(metric => !known.has(metric))).toEqual([])
    const exported = exportedMetrics()
    expect(queriesOf(dashboard).flatMap(query => unknownLabelsIn(query, exported))).toEqual([])
  })

  it('has panels that do not overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  })
})

it('every metric of ours is on a dashboard', () => {
  const shown = new Set(ALL.flatMap(metricsIn))
  const parts = name => ['_bucket', '_sum', '_count'].map(end => name.replace(/_(bucket|sum|count)$/, end))
  const missing = [...exportedMetrics().keys()].filter(
    name => !shown.has(name) && !parts(name).some(part => shown.has(part)),
  )
  // The age of a master key changes once a year: it has an alert and no panel.
  expect(missing).toEqual(['key_made_timestamp_seconds'])
})
