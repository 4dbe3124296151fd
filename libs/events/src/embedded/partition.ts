import { crc32 } from 'node:zlib'

/**
 * The partitions of every topic of the embedded log. It must never change, because the events of a moved key would lose their
 * order. Topics of Kafka get as many unless a setting says otherwise.
 */
export const PARTITIONS = 8

/** The partition of a key, the same in every process. */
export const partitionOf = (key: string, partitions: number): number => crc32(key) % partitions
