/** Injection token of the storage that STORAGE_URL names. */
export const OBJECT_STORAGE = Symbol('ObjectStorage')
