import * as z from 'zod/mini'
import { apiClient } from './api-client.ts'
import type { Operator } from './operator/operator.ts'

/** The progress of a replay, as the service reports it. */
export type ReplayState = z.output<typeof replayState>

const replayState = z.object({
  replayId: z.string(),
  state: z.enum(['RUNNING', 'DONE']),
  matched: z.number(),
  done: z.number(),
  failed: z.number(),
})

const replayList = z.object({
  replays: z.array(
    z.extend(replayState, {
      destination: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      user: z.string(),
      acceptedAt: z.string(),
    }),
  ),
})

/** A replay as the list of replays has it. */
export type ListedReplay = z.output<typeof replayList>['replays'][number]

const counted = z.object({ matched: z.number() })

const PATH = '/api/webhooks/replays'

/** The requests about a replay. All throw StartError when the service refuses or does not answer. */
export function replayClient(address: URL, operator: Operator) {
  const api = apiClient(address, operator)
  return {
    /** The number of events that the order would run again. */
    async count(order: object): Promise<number> {
      return (await api.post(PATH, { ...order, dryRun: true }, counted)).matched
    },
    /** Starts the replay, or joins it if it is running. */
    start: (order: object): Promise<ReplayState> => api.post(PATH, order, replayState),
    /** The last replays, newest first. */
    list: async (): Promise<readonly ListedReplay[]> => (await api.get(PATH, replayList)).replays,
    find: (replayId: string): Promise<ReplayState> => api.get(`${PATH}/${encodeURIComponent(replayId)}`, replayState),
  }
}
