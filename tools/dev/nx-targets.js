import path from 'node:path'

const SPEC = /\.spec\.[jt]sx?$/
const INTEGRATION = /\.integration\.spec\.[jt]sx?$/
/** Specs that need more than Node and a PostgreSQL. */
const OTHER = /\.(launch|engines|prometheus)\.spec\.[jt]sx?$/

/**
 * The projects of Nx: each app, lib and tool, the journeys, and `tools`, for the types of all tools in JavaScript. A project has a target when it
 * has files for it. How a target runs, and what its result depends on, stands once, in `targetDefaults` of nx.json.
 */
export const createNodesV2 = [
  '{{{apps,libs,tools}/*,e2e}/**/{package.json,tsconfig.json,*.{js,ts,tsx}},tools/tsconfig.json}',
  /** @param {readonly string[]} files */
  async files =>
    [...new Set(files.map(rootOf))].map(root => {
      const own = files.filter(file => rootOf(file) === root)
      return [own[0], { projects: { [root]: project(root, own) } }]
    }),
]

/** @param {string} file */
const rootOf = file => (/^(e2e|tools)\/[^/]*$|^e2e\//.test(file) ? file.split('/')[0] : file.split('/', 2).join('/'))

/** @param {string} root @param {string[]} files */
function project(root, files) {
  /** @param {(file: string) => boolean} test */
  const has = test => files.some(file => test(file.slice(root.length + 1)))
  const isTypeScript = has(file => /^src\/.*\.tsx?$/.test(file))
  const targets = {
    build: isTypeScript,
    typecheck: isTypeScript || has(file => file === 'tsconfig.json'),
    lint: has(file => file !== 'tsconfig.json'),
    test: has(file => SPEC.test(file) && !INTEGRATION.test(file) && !OTHER.test(file)),
    integration: has(file => INTEGRATION.test(file)),
  }
  const names = Object.entries(targets).flatMap(([name, isPresent]) => (isPresent ? [name] : []))
  return { name: path.basename(root), targets: Object.fromEntries(names.map(name => [name, {}])) }
}
