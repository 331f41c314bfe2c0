import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { edgeOf } from './edge.ts'

/** For endpoints that ask nobody who they are. */
export const app = edgeOf(loadConfig(edgeSettings))
