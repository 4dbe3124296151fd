// One load, in a process of its own. It uses as little processor time as it can, since it shares the machine with what it
// measures.
import { closedLoop } from './closed-loop.js'
import { openLoop } from './open-loop.js'
import { listingRequests, moneyRequests } from './requests.js'
import { pageRequests } from './size/pages.js'

const options = JSON.parse(process.argv[2])
const { accept, fund } = options.deals ? moneyRequests(options) : {}
const readers = () => (options.page ? pageRequests(options) : [listingRequests(options)])
const makers = options.deals ? [accept, fund] : readers()

// Its parent asks an open loop to end.
const over = new AbortController()
process.once('message', () => over.abort())

const run = options.loop === 'open' ? openLoop : closedLoop
const { problems, answered, ...result } = await run({ ...options, makers, signal: over.signal })
const { user, system } = process.cpuUsage()
process.send?.(
  {
    ...result,
    answered: answered.reduce((sum, count) => sum + count, 0),
    ...(options.deals ? { accepted: answered[0], funded: answered[1] } : {}),
    cpuSeconds: (user + system) / 1e6,
    refused: problems.length,
    firstProblem: problems[0],
  },
  () => process.disconnect(),
)
