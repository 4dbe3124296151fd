import { crc32 } from 'node:zlib'

/** The partitions of every topic. It must never change, because the events of a moved key would lose their order. */
export const PARTITIONS = 8

/** The partition of a key, the same in every process. */
export const partitionOf = (key: string): number => crc32(key) % PARTITIONS
