// Loaded into each process of the product before its own code (`--import`). After SIGUSR2 the process's clock is wrong by the number of
// milliseconds in the file that is named by its pid, in the folder of this module's query. Timers go by another clock, as on a machine
// whose time is set wrongly.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URLSearchParams(new URL(import.meta.url).search).get('folder'))
const RealDate = Date
const realNow = Date.now
let offsetMs = 0

Date.now = () => realNow() + offsetMs
// A Proxy, so that what it makes and what Node itself makes are dates of one class.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length > 0 ? args : [RealDate.now()], made === globalThis.Date ? target : made),
  apply: () => new RealDate(RealDate.now()).toString(),
})
process.on('SIGUSR2', () => {
  offsetMs = Number(fs.readFileSync(`${folder}/${process.pid}`, 'utf8'))
})
