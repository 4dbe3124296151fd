// Grafana's dashboards. `node tools/deploy/dashboards.js` writes them to deploy/grafana; a test compares the files with this.

import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from '../dev/settings.js'
import { PAGES, REQUESTS } from './dashboard-pages.js'

export const FOLDER = path.join(ROOT, 'deploy/grafana')
const COLUMNS = 24
const HEIGHT = 7
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }

/** Puts panels beside each other while there is room, and then below. */
function placed(panels) {
  let x = 0
  let y = 0
  return panels.map((panel, n) => {
    const { type, width = COLUMNS } = panel
    if (x > 0 && x + width > COLUMNS) {
      x = 0
      y += HEIGHT
    }
    const height = type === 'row' ? 1 : HEIGHT
    const gridPos = { x, y, w: width, h: height }
    x += width
    if (type === 'row') {
      x = 0
      y += 1
    }
    return { id: n + 1, gridPos, ...bodyOf(panel) }
  })
}

function bodyOf({ type, title, unit, queries, thresholds, options }) {
  if (type === 'row') return { type, title, collapsed: false, panels: [] }
  if (!queries) return { type, title, options }
  return {
    type,
    title,
    datasource: DATASOURCE,
    targets: queries.map(([expr, legendFormat], n) => ({
      refId: String.fromCharCode(65 + n),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
    fieldConfig: {
      defaults: { unit, ...(thresholds && { thresholds: { mode: 'absolute', steps: thresholds } }) },
      overrides: [],
    },
    ...(type === 'timeseries' && { options: { tooltip: { mode: 'multi', sort: 'desc' } } }),
  }
}

const VARIABLES = {
  datasource: { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
  service: {
    name: 'service',
    type: 'query',
    label: 'Service',
    datasource: DATASOURCE,
    query: { query: `label_values(${REQUESTS}_count, service)`, refId: 'service' },
    refresh: 2,
    multi: true,
    includeAll: true,
    current: { text: 'gateway', value: 'gateway' },
  },
}

/** The dashboards by the names of their files. */
export const DASHBOARDS = Object.fromEntries(
  Object.entries(PAGES).map(([name, { title, service, panels }]) => [
    `${name}.json`,
    {
      uid: `holdfast-${name}`,
      title,
      tags: ['holdfast'],
      schemaVersion: 39,
      editable: false,
      refresh: '30s',
      time: { from: 'now-3h', to: 'now' },
      links: [
        {
          type: 'dashboards',
          tags: ['holdfast'],
          title: 'Holdfast',
          asDropdown: false,
          includeVars: true,
          keepTime: true,
        },
      ],
      templating: { list: [VARIABLES.datasource, ...(service ? [VARIABLES.service] : [])] },
      panels: placed(panels),
    },
  ]),
)

/** The queries of a dashboard. */
export const queriesOf = ({ panels }) => panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

if (process.argv[1] === import.meta.filename)
  for (const [name, dashboard] of Object.entries(DASHBOARDS))
    fs.writeFileSync(path.join(FOLDER, name), `${JSON.stringify(dashboard, null, 2)}\n`)
