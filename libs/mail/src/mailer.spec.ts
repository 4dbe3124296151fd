import type { Timers } from '@holdfast/timers/timers'
import type { DataSource } from 'typeorm'
import { Mailer } from './mailer.js'
import { Strangers } from './readers.js'
import { SEND_WITHIN_MS } from './smtp.js'

const CONFIG = { NODE_ENV: 'test', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Holdfast <hello@example.com>' }

it('ends an attempt at a silent mail server by itself, before the timers report it as one that hangs', () => {
  const mailer = new Mailer({} as DataSource, {} as Timers, new Strangers(), CONFIG)
  expect(mailer.budgetMs).toBeGreaterThan(SEND_WITHIN_MS)
})
