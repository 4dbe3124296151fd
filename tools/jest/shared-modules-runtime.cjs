const { pathToFileURL } = require('node:url')
const { default: JestRuntime } = require('jest-runtime')

/** Where jest-circus keeps what is registered while a test file is loaded. It has to begin anew for each file. */
const CIRCUS_HANDLERS = Symbol.for('EVENT_HANDLERS')

/** Each test file has a number, so that Node evaluates it and its setup files again when another test file has imported them before. */
let testFiles = 0

/**
 * Loads test files with Node's own `import`, where Jest's runtime would load every module anew for each test file. So the test files of a worker
 * share the modules that they import, and with them their state. Everything else of a run is Jest's own.
 *
 * A test file that needs the state of a process or a page that has just begun says so in its first comment:
 * `@jest-environment-options {"ownModules": true}`. Then it has the modules of this tree for itself (typescript-hooks.js).
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

  /** jest-circus itself: it is loaded into the same global scope for each file. */
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
