import { madeOf } from '../platform/current.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { strongKeysDeployed, tokenSettings } from '../platform/settings/token.ts'
import { secretConfig } from './secrets.ts'

const config = await secretConfig('tokens', { STAGE: edgeSettings.STAGE, JWT_KEYS: tokenSettings.JWT_KEYS }, [
  strongKeysDeployed,
])

/** The ring that signs tokens. */
export const tokenKeys = madeOf(config, ({ JWT_KEYS }) => JWT_KEYS)
