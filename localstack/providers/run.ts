import * as z from 'zod/mini'
import { DEMO } from '../../lib/runtime/settings/strength.ts'

/** The input of the process of the embedded providers: their ports, and the address to which a login returns. */
export const runShape = z.object({
  ports: z.partialRecord(z.enum(['google', 'github', 'facebook']), z.number()),
  baseUrl: z.string(),
  /** The file with Google's keys; without it they are new at each start. */
  keys: z.optional(z.string()),
})

export type Run = z.infer<typeof runShape>

/** Gatehouse's client at the embedded providers, which answer only on this machine and know only demo users. */
export const CLIENT = { id: 'gatehouse-local', secret: DEMO.clientSecret } as const

/** The client data against which a provider checks a login. */
export interface RegisteredClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
}

export function clientOf(provider: string, { baseUrl }: Pick<Run, 'baseUrl'>): RegisteredClient {
  return { ...CLIENT, redirectUri: new URL(`/login/oauth2/code/${provider}`, baseUrl).href }
}
