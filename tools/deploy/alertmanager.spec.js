import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'
import { ALERTS } from './rules.js'

const FILE = path.join(ROOT, 'deploy/prometheus/alertmanager.yaml')
const { route, inhibit_rules } = parse(fs.readFileSync(FILE, 'utf8'))
const named = matchers =>
  matchers.flatMap(each => /^alertname=~?"(.*)"$/.exec(each)?.[1].split('|') ?? [`none in ${each}`])

describe('Alertmanager', () => {
  it('silences alerts that exist, by others that exist', () => {
    const known = ALERTS.map(({ alert }) => alert)
    const all = inhibit_rules.flatMap(rule => [...named(rule.source_matchers), ...named(rule.target_matchers)])
    expect(all.filter(name => !known.includes(name))).toEqual([])
  })

  it('silences no alert by a less urgent one that would wake nobody', () => {
    const severityOf = name => ALERTS.find(({ alert }) => alert === name).labels.severity
    const wrong = inhibit_rules.filter(
      ({ source_matchers, target_matchers }) =>
        named(source_matchers).some(name => severityOf(name) === 'ticket') &&
        named(target_matchers).some(name => severityOf(name) === 'page'),
    )
    expect(wrong).toEqual([])
  })

  it('groups by service', () => expect(route.group_by).toEqual(['service']))
})
