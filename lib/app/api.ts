import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { tokenSettings } from '../platform/settings/token.ts'
import { checksOf, tokensOf } from './checks.ts'
import { edgeOf } from './edge.ts'

const config = loadConfig({ ...edgeSettings, JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })

/** For endpoints that want credentials and nothing else. */
export const app = { ...edgeOf(config), checks: checksOf(config.PROFILE, tokensOf(config)) }
