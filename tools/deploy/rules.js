// Reads the rules of Prometheus in deploy/prometheus/rules.

import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'

const FOLDER = path.join(ROOT, 'deploy/prometheus/rules')
/** The absolute names of the files. */
export const RULE_FILES = fs.readdirSync(FOLDER).map(name => path.join(FOLDER, name))

const RULES = RULE_FILES.flatMap(file => parse(fs.readFileSync(file, 'utf8')).groups.flatMap(({ rules }) => rules))
/** The rules that record a series: `{ record, expr }`. */
export const RECORDED = RULES.filter(rule => rule.record !== undefined)
/** The alerts: `{ alert, expr, for, labels, annotations }`. */
export const ALERTS = RULES.filter(rule => rule.alert !== undefined)
