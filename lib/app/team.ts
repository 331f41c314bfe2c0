import type { GatehouseConfig } from '../config.ts'

/** The team's configuration. A build with a `gatehouse.config.ts` at the root has that in place of this file. */
export const team: GatehouseConfig = {}
