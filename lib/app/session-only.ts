import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { checkSession } from './checks.ts'
import { edgeOf } from './edge.ts'

/** For endpoints that only a session opens. */
export const app = { ...edgeOf(loadConfig(edgeSettings)), checks: { session: checkSession } }
