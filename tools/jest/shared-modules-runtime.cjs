const { pathToFileURL } = require('node:url')
const { default: JestRuntime } = require('jest-runtime')

/** The global under which jest-circus keeps its event handlers. A new instance of jest-circus adds its own to those that it finds there. */
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS')

/** Each test file has a number, so that Node evaluates it and its setup files again when another test file has imported them before. */
let testFiles = 0

/**
 * Loads test files with Node's own `import`, where Jest's runtime would load every module anew for each test file. So the test files of a worker
 * share the modules that they import, and with them their state. Everything else of a run is Jest's own.
 *
 * A test file that needs modules without the state of other tests says so in its first comment:
 * `@jest-environment-options {"ownModules": true}`. Then the modules of this tree are loaded for it alone (typescript-hooks.js). Packages of
 * `node_modules` are still shared.
 */
class SharedModulesRuntime extends JestRuntime {
  #setupFiles
  #mark

  constructor(config, environment, ...others) {
    super(config, environment, ...others)
    this.#setupFiles = config.setupFiles
    this.#mark = `${environment.options.ownModules === true ? 'own' : 'test'}=${++testFiles}`
    environment.global.jest = this.jestGlobals.jestObjectFor(config.rootDir)
  }

  /** Loads jest-circus anew for each test file, in the same global scope, without the event handlers of the test file before. */
  requireInternalModule(file) {
    delete globalThis[CIRCUS_HANDLERS]
    delete require.cache[file]
    return require(file)
  }

  unstable_shouldLoadAsEsm() {
    return true
  }

  /** Setup files run once for each worker, the others once for each test file. */
  unstable_importModule(file) {
    const { href } = pathToFileURL(file)
    if (this.#setupFiles.includes(file)) return import(href)
    return import(`${href}?${this.#mark}`)
  }
}

module.exports = SharedModulesRuntime
