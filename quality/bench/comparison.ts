import { bounded, type Findings, type Goal, type Outcome, tableOf, verdictOf } from './findings.ts'
import { median } from './median.ts'

const OURS = 'gatehouse'

/** The same work, done by Gatehouse and by others. */
export interface Comparison {
  readonly what: string
  readonly unit: string
  /** Each round's, by the subject; `gatehouse` is among them. */
  readonly costs: ReadonlyMap<string, readonly number[]>
  /** The subject that does nothing: what it takes is subtracted where a figure is called net, and goals go by that. */
  readonly floor?: string
  /** What a peer takes at least, as a multiple of what Gatehouse takes. */
  readonly atLeast?: Readonly<Record<string, number>>
  /** What Gatehouse takes at most, in times of what another takes. */
  readonly atMost?: Readonly<Record<string, number>>
  /** Why a goal may be missed. */
  readonly why?: string
}

/** A subject beside Gatehouse. */
interface Line {
  readonly subject: string
  readonly gross: Figure
  readonly net: Figure
  readonly goal: Goal | undefined
}

interface Figure {
  readonly cost: number
  /** As a multiple of what Gatehouse takes. */
  readonly ratio: number
}

/** The medians of the rounds, the least first. @throws Error without rounds of `gatehouse` */
export function comparison(given: Comparison): Findings {
  const lines = linesOf(given)
  return {
    table: tableOf(headsOf(given), lines.map(given.floor === undefined ? plainCells : cellsOf)),
    goals: lines.flatMap(({ goal }) => goal ?? []),
    ahead: lines
      .filter(isAhead)
      .map((line): Outcome => ({ what: given.what, peer: `${line.subject} takes`, measured: timesOf(line) })),
  }
}

function headsOf({ unit, floor }: Comparison): readonly string[] {
  if (floor === undefined) return ['', unit, 'times ours', 'goal']
  return ['', `${unit}, gross`, 'times ours', `net of ${floor}`, 'times ours', 'goal']
}

function plainCells({ subject, gross, goal }: Line): readonly string[] {
  return [subject, digits(gross.cost), digits(gross.ratio), verdictOf(goal)]
}

function cellsOf({ subject, gross, net, goal }: Line): readonly string[] {
  return [subject, ...[gross, net].flatMap(({ cost, ratio }) => [digits(cost), digits(ratio)]), verdictOf(goal)]
}

/** A function of ours beside the compared one is no peer. */
function isAhead({ subject, gross, goal }: Line): boolean {
  return !subject.startsWith(OURS) && goal === undefined && gross.ratio < 1
}

function linesOf({ costs, floor, ...wanted }: Comparison): readonly Line[] {
  const medians = new Map([...costs].map(([subject, all]) => [subject, median(all)]))
  const nothing = floor === undefined ? 0 : medianOf(medians, floor)
  const ours = medianOf(medians, OURS)
  return [...medians]
    .filter(([subject]) => subject !== floor)
    .map(([subject, cost]) => {
      const net = cost - nothing
      const line = { subject, gross: { cost, ratio: cost / ours }, net: { cost: net, ratio: net / (ours - nothing) } }
      return { ...line, goal: goalOf(line, wanted) }
    })
    .sort((one, other) => one.gross.cost - other.gross.cost)
}

function medianOf(medians: ReadonlyMap<string, number>, subject: string): number {
  const found = medians.get(subject)
  if (found === undefined) throw new Error(`nothing was measured of ${subject}`)
  return found
}

type Ratio = Pick<Line, 'subject' | 'gross' | 'net'>

function goalOf(line: Ratio, { what, atLeast = {}, atMost = {}, why }: Omit<Comparison, 'costs'>): Goal | undefined {
  const { subject, net } = line
  const [least, most] = [atLeast[subject], atMost[subject]]
  if (least !== undefined) {
    const outcome = { what, peer: `${subject} takes`, wanted: `≥ ${least} ×`, measured: timesOf(line), why }
    return bounded(outcome, { value: 1 / net.ratio, most: 1 / least })
  }
  if (most === undefined) return undefined
  const outcome = {
    what,
    peer: `of ${subject}`,
    wanted: `≤ ${most} ×`,
    measured: timesOf(line, (ratio) => 1 / ratio),
    why,
  }
  return bounded(outcome, { value: 1 / net.ratio, most })
}

/** Both ratios, where they differ. */
function timesOf({ gross, net }: Ratio, turned = (ratio: number) => ratio): string {
  const [all, beyond] = [digits(turned(gross.ratio)), digits(turned(net.ratio))]
  return gross.cost === net.cost ? `${all} ×` : `${beyond} × net, ${all} × gross`
}

/** Three that say something. */
function digits(value: number): string {
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }).format(value)
}
