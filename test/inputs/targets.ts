import type { Target } from './target.ts'
import { CHANNEL_TARGETS } from './targets/channels.ts'
import { HTTP_TARGETS } from './targets/http.ts'
import { TOKEN_TARGETS } from './targets/tokens.ts'
import { UPSTREAM_TARGETS } from './targets/upstreams.ts'
import { WEBHOOK_TARGETS } from './targets/webhooks.ts'

/** Every parser of what strangers send, and of what those send whom we ask. */
export const TARGETS: readonly Target[] = [
  ...HTTP_TARGETS,
  ...TOKEN_TARGETS,
  ...WEBHOOK_TARGETS,
  ...CHANNEL_TARGETS,
  ...UPSTREAM_TARGETS,
]

/** @throws RangeError for a name that no target has */
export function targetCalled(name: string): Target {
  const found = TARGETS.find((target) => target.name === name)
  if (found) return found
  throw new RangeError(`no target is called ${name}`)
}
