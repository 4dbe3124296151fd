import path from 'node:path'

/** The layers of the web app, from the lowest. A file imports its own layer and those below it. */
const LAYERS = ['lib', 'components', 'features', 'app']
/** What a feature offers to the other features. Everything else in it is its own. */
const SHARED = 'shared'

/**
 * What is wrong with an import inside the web app, or null. A feature imports another feature only from its `shared/`
 * folder.
 *
 * @param {string} file path in the package, such as `src/features/deal/deal-page.tsx`
 * @param {string} from what the file imports
 * @returns {string | null}
 */
export function judgeWebLayers(file, from) {
  if (!from.startsWith('.')) return null
  const importer = placeOf(file)
  const imported = placeOf(path.join(path.dirname(file), from))
  if (importer.layer < 0 || imported.layer < 0) return null
  if (importer.layer < imported.layer) return `the web app's imports run ${[...LAYERS].reverse().join(' → ')}`
  const bothFeatures = importer.feature !== undefined && imported.feature !== undefined
  if (bothFeatures && importer.feature !== imported.feature && !imported.isShared)
    return `a feature imports another only from its ${SHARED}/ folder`
  return null
}

function placeOf(file) {
  const [src, layer, feature, folder] = file.split(path.sep)
  if (src !== 'src') return { layer: -1 }
  return layer === 'features'
    ? { layer: LAYERS.indexOf(layer), feature, isShared: folder === SHARED }
    : { layer: LAYERS.indexOf(layer) }
}
