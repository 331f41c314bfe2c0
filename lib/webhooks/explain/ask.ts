import type { Clock } from '../../runtime/clock.ts'
import type { Current } from '../../runtime/current.ts'
import type { Catalog } from '../sources/catalog.ts'
import type { SharedSecret } from '../verify.ts'
import { type Explanation, explain } from './explain.ts'
import { addressed, type Recorded, signedCallOf } from './recorded.ts'

/** What the intake knows of its sources. */
export interface ExplainParts {
  readonly sources: Pick<Catalog, 'sourceOf'>
  readonly secrets: Current<ReadonlyMap<string, readonly SharedSecret[]>>
  /** Replaces every scheme's own tolerance, in seconds. */
  readonly toleranceSeconds: number | undefined
  readonly baseUrl: URL
  readonly clock: Clock
}

interface Question {
  /** In any case. */
  readonly source: string
  readonly request: Omit<Recorded, 'url'> & { readonly url?: string | undefined }
  readonly at?: Date | undefined
}

/** How the intake judges a recorded call, or would have judged it, and why. */
export function explainRecorded({ source, request, at }: Question, parts: ExplainParts): Explanation {
  const { sources, secrets, toleranceSeconds, baseUrl, clock } = parts
  const { name, scheme, lateSeconds } = sources.sourceOf(source.toLowerCase())
  const url = addressed(request.url ?? `/webhooks/${name}`, baseUrl)
  const receiver = { name, scheme, lateSeconds, secrets: secrets.current, toleranceSeconds, now: at ?? clock.now() }
  return explain(signedCallOf({ ...request, url }), receiver)
}
