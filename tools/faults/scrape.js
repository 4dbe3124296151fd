import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'

const FOLDER = path.join(ROOT, 'deploy/prometheus')

/**
 * The repository's configuration of Prometheus with its rules and intervals unchanged. Only the way in which it finds the processes is another
 * one, since there is no cluster: their addresses stand in a file.
 * @param {object[]} jobs more scrape configurations, those of exporters
 */
export function configuration(targetsFile, jobs) {
  const { global, rule_files, scrape_configs } = parse(fs.readFileSync(path.join(FOLDER, 'prometheus.yaml'), 'utf8'))
  const { kubernetes_sd_configs: _, relabel_configs: __, ...ours } = scrape_configs[0]
  return {
    global,
    rule_files: rule_files.map(pattern => path.join(FOLDER, pattern)),
    scrape_configs: [{ ...ours, file_sd_configs: [{ files: [targetsFile], refresh_interval: '5s' }] }, ...jobs],
  }
}

/** What `file_sd_configs` reads: each process with the labels that Kubernetes gives it. */
export const targetsOf = replicas =>
  replicas.map(({ service, pod, opsPort }) => ({ targets: [`127.0.0.1:${opsPort}`], labels: { service, pod } }))
