/** Where the destination of the drills puts what it gets: a queue of somebody else. */
export const LEDGER = 'ledger'

/** The destination has what Stripe sends. */
export const CONFIG = `import { defineConfig } from './lib/config.ts'

export default defineConfig({
  retentionDays: { '*': 10 },
  destinations: {
    ${LEDGER}: { to: 'sqs', queue: 'arn:aws:sqs:eu-central-1:000000000000:${LEDGER}', from: { stripe: ['**'] }, retry: [60], giveUpAfterHours: 4 },
  },
})
`
