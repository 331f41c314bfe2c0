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
