import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'
import { configuration, targetsOf } from './scrape.js'

it('Prometheus reads the rules of the repository, as often as in a cluster', () => {
  const cluster = parse(fs.readFileSync(path.join(ROOT, 'deploy/prometheus/prometheus.yaml'), 'utf8'))
  const here = configuration('/targets.json', [{ job_name: 'redis' }])
  expect(here.global).toEqual(cluster.global)
  expect(here.rule_files).toEqual([path.join(ROOT, 'deploy/prometheus/rules/*.yaml')])
  expect(here.scrape_configs.map(({ job_name }) => job_name)).toEqual(['holdfast', 'redis'])
  expect(here.scrape_configs[0]).toMatchObject({ honor_labels: true, file_sd_configs: [{ files: ['/targets.json'] }] })
  expect(here.scrape_configs[0]).not.toHaveProperty('kubernetes_sd_configs')
})

it('a process has the labels that the cluster gives it', () => {
  expect(targetsOf([{ service: 'gateway', pod: 'gateway-1', opsPort: 9090 }])).toEqual([
    { targets: ['127.0.0.1:9090'], labels: { service: 'gateway', pod: 'gateway-1' } },
  ])
})
