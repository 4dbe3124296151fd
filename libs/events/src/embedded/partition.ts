import { crc32 } from 'node:zlib'

/** Partitions of every topic. Changing it would send a key's later events past its earlier ones: it never changes. */
export const PARTITIONS = 8

/** The partition of a key. The same key always lands in the same one, whichever process asks. */
export const partitionOf = (key: string): number => crc32(key) % PARTITIONS
