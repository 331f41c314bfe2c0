import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { noLocalKeyDeployed, tokenSettings } from '../platform/settings/token.ts'
import { edgeOf } from './edge.ts'
import { checksOf, tokensOf } from './tokens.ts'

const config = loadConfig({ ...edgeSettings, ...tokenSettings }, [noLocalKeyDeployed])

/** For endpoints that want credentials and nothing else. */
export const app = { ...edgeOf(config), checks: checksOf(config, await tokensOf(config)) }
