import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'

/** Packages with a native part or a thread of their own, whose files must stay where npm put them. */
const IN_PLACE = ['@node-rs/argon2', 'msgpackr-extract', 'sharp', 'tinypool']
/**
 * Extends `Reflect` when it is loaded, and Nest needs that while its own modules are loaded. Packed, it would be loaded after them: a bundle
 * runs a CommonJS module only after everything that the importing module imports.
 */
const FIRST = 'reflect-metadata'
/** The folder of the packages' code, below that of the packed processes. */
const PACKAGES = 'packages/'
const SOURCE_MAP_COMMENT = /\n?\/\/# sourceMappingURL=\S+\s*$/

/**
 * Packs compiled processes into `target`: one file `<process>.js` for each, and files that several processes share. Installed
 * packages are in files of their own, apart from our code, which keeps its source maps. Without packing, Node finds and reads about
 * 2,500 files before a service can boot.
 *
 * @param {string[]} folders of the processes, relative to `root`
 * @param {Record<string, string>} changed code to pack in place of compiled files, by their absolute paths
 */
export async function pack(root, folders, target, changed = {}) {
  fs.rmSync(target, { recursive: true, force: true })
  const bundle = await rolldown({
    input: Object.fromEntries(folders.map(folder => [path.basename(folder), path.join(root, folder, 'dist/main.js')])),
    platform: 'node',
    external: [...IN_PLACE, FIRST],
    // Nothing is left out: packages register things when they are imported.
    treeshake: false,
    // It would warn about packages that Nest, TypeORM and pg import only if they are installed. Such an import fails when it runs.
    logLevel: 'silent',
    plugins: [replaceCode(changed), keepSourceMaps, withoutOldTypeOrm],
  })
  await bundle.write({
    dir: target,
    format: 'esm',
    // Nest and TypeORM use the names of classes at run time.
    keepNames: true,
    sourcemap: true,
    chunkFileNames: ({ moduleIds }) => `${moduleIds.every(isInstalled) ? PACKAGES : 'shared/'}[hash].js`,
    // So a process loads only the packages that it uses.
    codeSplitting: { groups: [{ name: 'packages', test: isInstalled, entriesAware: true }] },
    plugins: [dropMapsOfPackages],
  })
  await bundle.close()
}

// Rolldown's own modules have no path.
const isInstalled = id => id.includes('/node_modules/') || !path.isAbsolute(id)

const replaceCode = changed => ({
  name: 'replace-code',
  load: id => (Object.hasOwn(changed, id) ? changed[id] : null),
})

/** Reads the source maps of the compiler, so that those of the packed files lead to the TypeScript. */
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
 * @nestjs/typeorm looks for two classes that TypeORM had before version 1. It does so by a `require` at run time, which would load
 * a second TypeORM. Ours does not have these classes.
 */
const withoutOldTypeOrm = {
  name: 'without-old-typeorm',
  load: {
    filter: { id: /@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/ },
    handler: () => 'export const Connection = undefined\nexport const AbstractRepository = undefined\n',
  },
}

/** Drops the source maps of packages: they are large, Node would read them at each start, and we do not need them. */
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
