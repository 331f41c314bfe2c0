import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { noLocalKeyDeployed, tokenSettings } from '../platform/settings/token.ts'
import { checksOf, tokensOf } from './checks.ts'
import { edgeOf } from './edge.ts'

const config = loadConfig({ ...edgeSettings, ...tokenSettings }, [noLocalKeyDeployed])

/** For endpoints that want credentials and nothing else. */
export const app = { ...edgeOf(config), checks: checksOf(config.PROFILE, await tokensOf(config)) }
