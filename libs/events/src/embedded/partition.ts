import { crc32 } from 'node:zlib'

/** Partitions of every topic. It never changes: a key would move to another partition and its events lose their order. */
export const PARTITIONS = 8

/** The partition of a key, the same in every process. */
export const partitionOf = (key: string): number => crc32(key) % PARTITIONS
