import { StartError } from '../start-error.ts'
import type { DeployedStage } from './deployed-stage.ts'

/** `warn`: another behavior than elsewhere, which the documentation names. */
export type Level = 'ok' | 'warn' | 'fail' | 'skipped'

/** Figures by name; the unit is in the name. */
export type Figures = Readonly<Record<string, number>>

/** What a check saw where nothing is wrong. A text is `ok`. */
export type Seen = string | { readonly level?: 'ok' | 'warn'; readonly seen: string; readonly figures?: Figures }

/** Tries one thing. @throws Refuted when it does not hold, Untried when it cannot be tried */
export type Check = (stage: DeployedStage) => Promise<Seen>

export interface CheckOutcome {
  readonly check: string
  readonly level: Level
  /** In one line; holds no secret, token or payload. */
  readonly seen: string
  readonly figures: Figures
}

/** A rule does not hold; the message says what was seen instead. */
export class Refuted extends Error {
  override readonly name = 'Refuted'
}

/** A call has no answer, or not all of it. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** As `ECONNRESET`. */
  readonly code: string

  constructor(path: string, cause: unknown) {
    const code = codeOf(cause)
    super(`No answer to ${path.replace(/\?.*/s, '')}: ${code}`, { cause })
    this.code = code
  }
}

function codeOf(error: unknown): string {
  const { name, cause } = Object(error) as { name?: string; cause?: { code?: string; name?: string } }
  return cause?.code ?? cause?.name ?? name ?? 'unknown'
}

/** A check has not what it takes; the message says what is missing. */
export class Untried extends Error {
  override readonly name = 'Untried'
}

/** @throws Refuted unless it holds */
export function holds(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Refuted(otherwise)
}

/** Runs one check. Any other error than the named ones is a bug and thrown. */
export async function runCheck(check: string, run: Check, stage: DeployedStage): Promise<CheckOutcome> {
  const start = stage.now()
  const { level = 'ok', seen, figures } = await run(stage).then(described, outcomeOf)
  return { check, level, seen, figures: { milliseconds: Math.round(stage.now() - start), ...figures } }
}

type Outcome = { readonly level?: Level; readonly seen: string; readonly figures?: Figures }

function described(seen: Seen): Outcome {
  return typeof seen === 'string' ? { seen } : seen
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Untried) return { level: 'skipped', seen: error.message }
  if (error instanceof Refuted || error instanceof NoAnswer) return { level: 'fail', seen: error.message }
  // Behind the colon is what the stage says, which may be anything.
  if (error instanceof StartError) return { level: 'fail', seen: error.message.replace(/: .*/s, '') }
  throw error
}
