import { bodyMac, hex } from './body-mac.ts'
import type { SignatureScheme } from './scheme.ts'

/** docs.github.com, "Validating webhook deliveries"; the legacy SHA-1 of `X-Hub-Signature` proves nothing here. */
export const github: SignatureScheme = bodyMac({ header: 'x-hub-signature-256', prefix: 'sha256=', ...hex })
