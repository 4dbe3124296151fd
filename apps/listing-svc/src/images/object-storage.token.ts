/** Where the modules find the storage that STORAGE_URL names. */
export const OBJECT_STORAGE = Symbol('ObjectStorage')
