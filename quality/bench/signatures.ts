import { type Comparison, comparison } from './comparison.ts'
import { effort } from './effort.ts'
import { type Findings, together } from './findings.ts'
import type { Scheme } from './signatures/deliveries.ts'
import type { Round } from './signatures/subject.ts'
import { VERIFIERS } from './signatures/verifiers.ts'
import { interleaved, startSubject } from './subjects.ts'

/** Many and short: what the neighbours do then meets all of a round alike. */
const ROUNDS = effort(21, 1)

/** Of CPU, in milliseconds. */
const ROUND_MS = effort(30, 5)
const WARM_UP_MS = effort(400, 5)

interface Size {
  readonly name: string
  readonly bytes: number
  /** What Gatehouse takes at most, in times of what the bare HMAC takes. */
  readonly most: number
}

const SIZES: readonly Size[] = [
  { name: '1 KB', bytes: 1024, most: 1.25 },
  { name: '20 KB', bytes: 20_480, most: 1.1 },
  { name: '1 MB', bytes: 1_048_576, most: 1.1 },
]

const WHY = 'Ours is at the bare HMAC, so that what the neighbours of a shared machine do decides.'

/** By the size. */
const LEAST: Readonly<Record<string, NonNullable<Comparison['atLeast']>>> = {
  '1 MB': { 'stripe constructEvent': 3.5, 'stripe constructEvent, of text': 3.5, svix: 10 },
}

/** From headers and bytes to a verdict: ours, the libraries of those who sign, and the hash alone. */
export async function signatures(): Promise<Findings> {
  const pieces: Record<string, Findings> = {}
  for (const [scheme, verifiers] of Object.entries(VERIFIERS))
    Object.assign(pieces, await verifying(scheme as Scheme, Object.keys(verifiers)))
  return together(pieces)
}

async function verifying(scheme: Scheme, verifiers: readonly string[]): Promise<Readonly<Record<string, Findings>>> {
  const subjects = await Promise.all(
    verifiers.map((name) => startSubject(name, 'signatures/subject.ts', [scheme, name])),
  )
  const pieces: Record<string, Findings> = {}
  for (const { name, bytes, most } of SIZES) {
    const round = (milliseconds: number): Round => ({ bytes, milliseconds })
    const what = `the signature of ${scheme}, ${name}`
    pieces[what] = comparison({
      what,
      unit: 'µs of CPU',
      costs: await interleaved(subjects, {
        rounds: ROUNDS,
        warmUp: round(WARM_UP_MS),
        round: () => round(ROUND_MS),
      }),
      atLeast: LEAST[name] ?? {},
      atMost: { 'bare HMAC': most },
      why: WHY,
    })
  }
  for (const { child } of subjects) child.kill()
  return pieces
}
