import { makeReplays } from '../../lib/app/operators.ts'
import { newReplay } from '../../lib/contract/requests/new-replay.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted, ok } from '../../lib/http/message.ts'
import { startReplay } from '../../lib/webhooks/operators/replay.ts'

const app = await makeReplays()
const ANSWERS = { counted: ok, accepted } as const

export const handler = endpoint('replaysCreate', app, json(newReplay), async ({ principal, input }) => {
  const { username: user, uid: orderedBy } = principal
  const { kind, ...answer } = await startReplay(app, { ...input, user, orderedBy })
  return ANSWERS[kind](answer)
})
