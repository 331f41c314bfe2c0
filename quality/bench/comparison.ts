import { type Findings, type Goal, verdictOf } from './findings.ts'
import { median } from './median.ts'

const OURS = 'gatehouse'

/** The same work, done by Gatehouse and by others. */
export interface Comparison {
  readonly what: string
  readonly unit: string
  /** Each round's, by the subject; `gatehouse` is among them. */
  readonly costs: ReadonlyMap<string, readonly number[]>
  /** The subject that does nothing: what it takes is subtracted from what every other takes. */
  readonly floor?: string
  /** What a peer takes at least, as a multiple of what Gatehouse takes. */
  readonly atLeast?: Readonly<Record<string, number>>
  /** What Gatehouse takes at most, in times of what another takes. */
  readonly atMost?: Readonly<Record<string, number>>
}

interface Line {
  readonly subject: string
  readonly cost: number
  readonly net: number
  /** To what Gatehouse takes. */
  readonly ratio: number
  readonly goal: Goal | undefined
}

/** The medians of the rounds, the least first. @throws Error without rounds of `gatehouse` */
export function comparison(given: Comparison): Findings {
  const lines = linesOf(given)
  const told = lines.filter(isTold).map(ratioOf)
  const rows = lines.map(
    ({ subject, cost, net, ratio, goal }) =>
      `| ${[subject, digits(cost), digits(net), digits(ratio), verdictOf(goal)].join(' | ')} |`,
  )
  const head = given.floor === undefined ? 'the same' : `net of ${given.floor}`
  return {
    table: [`| | ${given.unit} | ${head} | times ours | goal |`, '|---|--:|--:|--:|---|', ...rows].join('\n'),
    goals: lines.flatMap(({ goal }) => goal ?? []),
    ratios: told.length === 0 ? [] : [{ what: given.what, times: Object.fromEntries(told) }],
  }
}

/** The picture shows those that something was promised about. */
function isTold({ subject, goal }: Line): boolean {
  return subject !== OURS && goal !== undefined
}

function ratioOf({ subject, ratio }: Line): [string, number] {
  return [subject, ratio]
}

function linesOf({ what, costs, floor, atLeast = {}, atMost = {} }: Comparison): readonly Line[] {
  const medians = new Map([...costs].map(([subject, all]) => [subject, median(all)]))
  const nothing = floor === undefined ? 0 : medianOf(medians, floor)
  const ours = medianOf(medians, OURS) - nothing
  return [...medians]
    .filter(([subject]) => subject !== floor)
    .map(([subject, cost]) => {
      const net = cost - nothing
      const goal = goalOf(what, subject, net / ours, { least: atLeast[subject], most: atMost[subject] })
      return { subject, cost, net, ratio: net / ours, goal }
    })
    .sort((one, other) => one.net - other.net)
}

function medianOf(medians: ReadonlyMap<string, number>, subject: string): number {
  const found = medians.get(subject)
  if (found === undefined) throw new Error(`nothing was measured of ${subject}`)
  return found
}

function goalOf(
  what: string,
  subject: string,
  ratio: number,
  { least, most }: { readonly least: number | undefined; readonly most: number | undefined },
): Goal | undefined {
  if (least !== undefined)
    return {
      what,
      peer: `${subject} takes`,
      wanted: `≥ ${least} ×`,
      measured: `${digits(ratio)} ×`,
      isMet: ratio >= least,
    }
  if (most !== undefined)
    return {
      what,
      peer: `of ${subject}`,
      wanted: `≤ ${most} ×`,
      measured: `${digits(1 / ratio)} ×`,
      isMet: 1 / ratio <= most,
    }
  return undefined
}

/** Three that say something. */
function digits(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value)
}
