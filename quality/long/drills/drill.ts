import { SECRETS } from '../../../lib/runtime/settings/secret-names.ts'
import type { DrillStage } from '../../../test/support/drills/stage.ts'

/** Names that the commands of a section use besides those of every section. */
export type Variables = Readonly<Record<string, string>>

/** A fault of the local stage, and how it is found and mended. */
export interface Drill {
  /** A section of docs/runbook.md. */
  readonly alarm: string
  /** The rest of the alarm's name. */
  readonly of?: string
  readonly fault: string
  /** Has the stage work for as long as the alarm looks back. */
  readonly works?: (stage: DrillStage) => Promise<unknown>
  readonly breaks: (stage: DrillStage) => Promise<Variables | undefined>
  /** What a row of each query of the section holds. */
  readonly finds?: readonly RegExp[]
  /** What each command of the section prints, run one after the other. */
  readonly shows: readonly RegExp[]
  readonly mends: (stage: DrillStage) => Promise<unknown>
}

/** Calls something again and again until it holds. @throws Error after so many times */
export async function until(holds: () => Promise<boolean>, times = 50): Promise<void> {
  for (let time = 0; time < times; time++) if (await holds()) return
  throw new Error(`it does not hold after ${times} times`)
}

export async function repeat(times: number, work: (time: number) => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work(time)
}

/** Requests that name a table. */
export const isOf =
  (table: string) =>
  ({ body }: { readonly body: string }) =>
    body.includes(`gatehouse-drills-${table}"`)

/** Until every function reads its secrets again, in minutes. */
export const OLD_SECRETS = 6

/** Puts secrets of sources in the place of those that the stage began with. */
export function putWebhookSecrets({ secrets, secretsManager }: DrillStage, change: object): void {
  const kept = JSON.parse(secrets['WEBHOOK_SECRETS'] ?? '')
  const [name = ''] =
    Object.entries(SECRETS).find(([, settings]) => settings.some((each) => each === 'WEBHOOK_SECRETS')) ?? []
  const WEBHOOK_SECRETS = JSON.stringify({ ...kept, ...change })
  secretsManager.put(`gatehouse/drills/${name}`, { WEBHOOK_SECRETS })
}
