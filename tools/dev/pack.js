import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** Packages with a native part, which must stay where npm put it. */
const NATIVE = ['@node-rs/argon2', 'msgpackr-extract', 'sharp']
/** Where the code of packages is put, below the packed processes. */
const PACKAGES = 'packages/'
const SOURCE_MAP_COMMENT = /\n?\/\/# sourceMappingURL=\S+\s*$/

/**
 * Packs compiled processes into `target`: `<process>.js` for each, what several use in files that they share, and the packages of
 * others apart from our own code. Otherwise Node finds and reads about 2,500 files before a service can boot. Our own code
 * keeps its source map.
 * @param {string[]} folders of the processes, relative to `root`
 */
export async function pack(root, folders, target) {
  fs.rmSync(target, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(folders.map(folder => [path.basename(folder), path.join(root, folder, 'dist/main.js')])),
    platform: 'node',
    external: NATIVE,
    // Nothing is left out: packages register things when they are imported.
    treeshake: false,
    // It warns of packages that Nest, TypeORM and pg import only if they are there. Such an import fails when it is reached.
    logLevel: 'silent',
    plugins: [keepSourceMaps, withoutOldTypeOrm],
  })
  await bundle.write({
    dir: target,
    format: 'esm',
    // Nest and TypeORM use the names of classes.
    keepNames: true,
    sourcemap: true,
    chunkFileNames: ({ moduleIds }) => `${moduleIds.every(isInstalled) ? PACKAGES : 'shared/'}[hash].js`,
    // A process loads the packages that it uses, and no others.
    codeSplitting: { groups: [{ name: 'packages', test: isInstalled, entriesAware: true }] },
    plugins: [dropMapsOfPackages],
  })
  await bundle.close()
}

// Rolldown's own modules have no path.
const isInstalled = id => id.includes('/node_modules/') || !path.isAbsolute(id)

/** Leads from the packed file to the TypeScript, by the map that the compiler wrote. */
const keepSourceMaps = {
  name: 'keep-source-maps',
  load: {
    filter: { id: { include: /\/dist\/.*\.js$/, exclude: /\/node_modules\// } },
    handler(id) {
      const code = fs.readFileSync(id, 'utf8').replace(SOURCE_MAP_COMMENT, '')
      return { code, map: fs.readFileSync(`${id}.map`, 'utf8') }
    },
  },
}

/**
 * @nestjs/typeorm looks for two classes of TypeORM before version 1 by a `require` at run time, which would load a second
 * TypeORM beside the packed one. They do not exist in ours.
 */
const withoutOldTypeOrm = {
  name: 'without-old-typeorm',
  load: {
    filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
    handler: () => 'export const Connection = undefined\nexport const AbstractRepository = undefined\n',
  },
}

/** Node reads a map when it loads the file, and those of the packages are large and of no use to us. */
const dropMapsOfPackages = {
  name: 'drop-maps-of-packages',
  generateBundle(_options, files) {
    for (const [name, file] of Object.entries(files)) {
      if (!name.startsWith(PACKAGES)) continue
      if (name.endsWith('.map')) delete files[name]
      else file.code = file.code.replace(SOURCE_MAP_COMMENT, '\n')
    }
  },
}
