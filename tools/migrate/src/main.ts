import { applyMigrations, ForeignMigrations } from '@holdfast/service-kit/database/migrations'
import { loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { flushLogs, nameLogs } from '@holdfast/service-kit/telemetry/logging'
import { z } from 'zod'
import { ensureDatabase } from './database.js'
import { plansFor } from './plans.js'

// As the database's owner, creates roles, schemas and tables, which services only use. Safe to repeat at every start.
nameLogs('migrate')
const config = loadConfig({
  DATABASE_ADMIN_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  ROLE_PASSWORDS: z
    .string()
    .transform((text, issues) => {
      try {
        return JSON.parse(text)
      } catch {
        // The parser's own message is not used: it quotes the text, which contains passwords.
        issues.addIssue({ code: 'custom', message: 'must be JSON' })
        return z.NEVER
      }
    })
    .pipe(z.record(z.string(), z.string().min(16))),
})

try {
  await ensureDatabase(config.DATABASE_ADMIN_URL)
  const plans = await plansFor(Object.keys(config.ROLE_PASSWORDS))
  await applyMigrations({ adminUrl: config.DATABASE_ADMIN_URL, plans, passwords: config.ROLE_PASSWORDS })
} catch (error) {
  // Data of another version is no fault of the code: its sentence is enough, and a stack would hide it.
  const isExplained = error instanceof ForeignMigrations
  process.stderr.write(`${isExplained ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
} finally {
  flushLogs()
}
