/**
 * What a project may import, tests included, by its folder: the folders of projects, or the beginnings of such. What only concerns some files of
 * a project is in import-rules.js.
 * @type {[string, string[]][]}
 */
const MAY_IMPORT = [
  ['libs/kernel', []],
  ['apps/web', ['libs/contracts', 'libs/http-client', 'libs/kernel']],
  ['libs/', ['libs/', 'tools/engines']],
  ['apps/', ['libs/', 'apps/', 'tools/engines', 'tools/sandbox']],
]

/**
 * One line for each pair of projects of which one imports the other and must not.
 * @param {{ nodes: Record<string, { data: { root: string } }>, dependencies: Record<string, { target: string }[]> }} graph of Nx
 * @returns {string[]}
 */
export function findBrokenProjectRules({ nodes, dependencies }) {
  return Object.entries(nodes).flatMap(([name, { data }]) => {
    const rule = MAY_IMPORT.find(([from]) => data.root.startsWith(from))
    if (!rule) return []
    const [, may] = rule
    const imported = dependencies[name].flatMap(({ target }) => (nodes[target] ? [nodes[target].data.root] : []))
    const broken = imported.filter(root => !may.some(allowed => root.startsWith(allowed)))
    return broken.map(
      root => `${data.root}: must not import ${root}; it may import ${may.join(', ') || 'no other project'}`,
    )
  })
}
