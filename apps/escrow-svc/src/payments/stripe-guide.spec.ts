import fs from 'node:fs'
import path from 'node:path'
import { configShape } from '../config.js'
import { STRIPE_API_VERSION } from '../provider/stripe-calls.js'
import { READ_EVENT_TYPES } from './event-form.js'

const GUIDE = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/stripe.md'), 'utf8')
const named = (pattern: RegExp) => [...new Set(GUIDE.match(pattern))].sort()

it('the guide to Stripe names the settings of escrow-svc, and no other', () => {
  const settings = Object.keys(configShape).filter(name => name.startsWith('STRIPE_'))
  expect(named(/\bSTRIPE_[A-Z_]+\b/g)).toEqual(settings.sort())
})

it('the guide to Stripe names each event that is read, and no other', () => {
  const tables = GUIDE.slice(GUIDE.indexOf('## 5.'))
  const events = [...new Set(tables.match(/(?<=`)[a-z_]+(\.[a-z_]+){1,2}(?=`)/g))]
  expect(events.sort()).toEqual([...READ_EVENT_TYPES].sort())
})

it('the guide to Stripe names the version of the API that the code sends', () => {
  expect(named(/\b20\d\d-\d\d-\d\d\.\w+/g)).toEqual([STRIPE_API_VERSION])
})
