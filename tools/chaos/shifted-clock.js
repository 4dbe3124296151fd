// Loaded into a process of the product before its own code (`--import`). Its clock is ahead by CLOCK_AHEAD_MS. When this module's query has a
// `folder`, SIGUSR2 sets the clock ahead by the number of milliseconds in the file of that folder that is named by the pid. Timers go by
// another clock, as on a machine whose time is set wrongly.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL(import.meta.url).searchParams.get('folder')
const RealDate = Date
const realNow = Date.now
let offsetMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)

Date.now = () => realNow() + offsetMs
// A Proxy, so that what it makes and what Node itself makes are dates of one class.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length > 0 ? args : [RealDate.now()], made === globalThis.Date ? target : made),
  apply: () => new RealDate(RealDate.now()).toString(),
})
if (folder) {
  process.on('SIGUSR2', () => {
    offsetMs = Number(fs.readFileSync(`${fileURLToPath(folder)}/${process.pid}`, 'utf8'))
  })
}
