import type { CheckOutcome } from './check.ts'
import type { DeployedStage } from './deployed-stage.ts'

/** What was seen of a stage, without secrets, tokens and payloads. */
export interface VerifyReport {
  readonly ok: boolean
  /** In UTC, ISO 8601. */
  readonly date: string
  readonly url: string
  /** As the OpenAPI document of the stage says; null if it says none. */
  readonly version: string | null
  readonly checks: readonly CheckOutcome[]
  /** The events that were left behind, each as `source id`. */
  readonly events: readonly string[]
}

export async function versionOf({ call }: Pick<DeployedStage, 'call'>): Promise<string | null> {
  const answer = await call('/openapi.json').catch(() => undefined)
  const { version } = Object(Object(answer?.json).info) as { version?: unknown }
  return typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version) ? version : null
}
