import * as z from 'zod/mini'
import { DEMO } from '../../lib/runtime/settings/strength.ts'

/** What the process of the embedded providers is told: their ports, and where a login goes back to. */
export const runShape = z.object({
  ports: z.partialRecord(z.enum(['google', 'github', 'facebook']), z.number()),
  baseUrl: z.string(),
  /** Where google keeps its keys; without it they are new at each start. */
  keys: z.optional(z.string()),
})

export type Run = z.infer<typeof runShape>

/** Gatehouse, as the embedded providers know it: they answer on this machine alone, to demo users only. */
export const CLIENT = { id: 'gatehouse-local', secret: DEMO.clientSecret } as const

/** What a provider checks a login against. */
export interface RegisteredClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

export function clientOf(provider: string, { baseUrl }: Pick<Run, 'baseUrl'>): RegisteredClient {
  return { ...CLIENT, redirectUri: new URL(`/login/oauth2/code/${provider}`, baseUrl).href }
}
