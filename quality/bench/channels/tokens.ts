import { createTokens } from '../../../lib/auth/token.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'

/** The same in every process. */
const KEY = { kid: 'bench', secret: new Uint8Array(64).fill(7) }

export const tokens = createTokens({ keys: { current: [KEY] }, lifetimeSeconds: 3600, clock: systemClock })
