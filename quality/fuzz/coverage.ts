import { type Profiler, Session } from 'node:inspector'

/** A function that ran, and which parts of it, nested, an outer one before those inside. */
export interface Ran {
  readonly name: string
  readonly ranges: readonly Profiler.CoverageRange[]
}

export interface Coverage {
  /** What ran since the last call. */
  ran(): readonly Ran[]
  stop(): void
}

/** For code that nobody watches. */
export const NO_COVERAGE: Coverage = { ran: () => [], stop() {} }

/**
 * Watches the blocks of the scripts whose address fits, as V8 counts them. It sees nothing of functions that were compiled
 * before: watch first, then import.
 */
export function watchCoverage(isWatched: (url: string) => boolean): Coverage {
  const session = new Session()
  session.connect()
  post(session, 'Profiler.enable')
  post(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    ran() {
      const { result } = post(session, 'Profiler.takePreciseCoverage') as Profiler.TakePreciseCoverageReturnType
      return result
        .filter(({ url }) => isWatched(url))
        .flatMap(({ scriptId, functions }) =>
          functions.map(({ ranges }) => ({ name: `${scriptId}:${ranges[0]?.startOffset}`, ranges })),
        )
    },
    stop() {
      post(session, 'Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}

type Part = readonly [start: number, end: number]

/** What ran at any time. */
export class Reached {
  /** By function the parts of it that never did. */
  readonly #left = new Map<string, readonly Part[]>()

  /** Notes what ran; the places that never ran before. */
  learn(ran: readonly Ran[]): readonly string[] {
    return ran.flatMap((each) => this.#learnOne(each))
  }

  #learnOne({ name, ranges }: Ran): readonly string[] {
    const [{ startOffset, endOffset } = { startOffset: 0, endOffset: 0 }] = ranges
    const parts = (this.#left.get(name) ?? [[startOffset, endOffset] as const]).flatMap((part) => cut(part, ranges))
    const { reached = [], left = [] } = Object.groupBy(parts, ([at]) => (hasRun(ranges, at) ? 'reached' : 'left'))
    this.#left.set(name, left)
    return reached.map(([at]) => `${name}:${at}`)
  }
}

/** Those of the places that ran. */
export function placesIn(ran: readonly Ran[], places: Iterable<string>): readonly string[] {
  const byName = new Map(ran.map(({ name, ranges }) => [name, ranges]))
  return [...places].filter((place) => {
    const end = place.lastIndexOf(':')
    const ranges = byName.get(place.slice(0, end))
    return ranges !== undefined && hasRun(ranges, Number(place.slice(end + 1)))
  })
}

/** The innermost range says. */
function hasRun(ranges: readonly Profiler.CoverageRange[], offset: number): boolean {
  const isAround = ({ startOffset, endOffset }: Profiler.CoverageRange) => startOffset <= offset && offset < endOffset
  return (ranges.findLast(isAround)?.count ?? 0) > 0
}

/** A part, cut where a range begins or ends. */
function cut([start, end]: Part, ranges: readonly Profiler.CoverageRange[]): readonly Part[] {
  const inside = ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset])
  const places = [...new Set([start, ...inside.filter((at) => start < at && at < end), end])].sort((a, b) => a - b)
  return places.slice(1).map((place, index) => [places[index] ?? start, place])
}

/** The inspector of one's own thread answers at once. */
function post(session: Session, method: string, parameters: object = {}): object {
  let answer: object | undefined
  session.post(method, parameters, (error, result = {}) => {
    if (error) throw error
    answer = result
  })
  if (!answer) throw new Error(`the inspector did not answer ${method}`)
  return answer
}
