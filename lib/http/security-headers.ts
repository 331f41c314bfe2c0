import type { Reply } from './message.ts'

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  'x-xss-protection': '0',
} as const

const OVER_HTTPS = { ...ALWAYS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const

/** Spec 5, rule 3: returns the writer that adds the constant headers to an answer. */
export function securityHeaders({ protocol }: URL): (reply: Reply) => Reply {
  const constant = protocol === 'https:' ? OVER_HTTPS : ALWAYS
  return (reply) => ({ ...reply, headers: { ...constant, ...reply.headers } })
}
