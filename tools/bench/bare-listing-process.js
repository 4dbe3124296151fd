import { fileURLToPath } from 'node:url'

const BARE = fileURLToPath(new URL('./bare-listing.js', import.meta.url))

/** Starts the bare handler: `{ port }`. It ends with `processes`. */
export async function startBareListing(processes, database) {
  const { child } = processes.spawn('bare-listing', process.execPath, [BARE], {
    env: { ...process.env, NODE_ENV: 'production', BENCH_DATABASE: JSON.stringify(database) },
    tied: true,
  })
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`the bare handler ended with ${code}`)))
  })
}
