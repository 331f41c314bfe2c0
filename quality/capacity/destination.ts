import { HINT_PAUSE, HINTS_PER_PLACE } from '../../lib/deliver/scan.ts'
import { leaseOf } from '../../lib/deliver/timing.ts'
import type { Random } from '../../test/support/random.ts'
import { agendaOf, lineOf } from './agenda.ts'
import { BUSY, PACE } from './demand.ts'
import { drawsOf, type Lanes } from './draws.ts'
import { QUOTAS } from './limits.ts'
import type { Stock } from './stock.ts'
import { type Receiver, type Row, SECOND, type Service, triesOf } from './tries.ts'

/** What became of the deliveries of one destination. */
export interface Deliveries {
  stored: number
  delivered: number
  dead: number
  tries: number
  /** Messages that found nothing to do. */
  dropped: number
  /** The most that waited at once. */
  most: number
  /** The last second in which something waited that was accepted more than a minute before. */
  lateAt: number
}

interface SimulatedDestination {
  /** Stores the row of a new delivery, and sends a message. */
  store(second: number): void
  /** Begins a second; each turn takes a message of the queue, as far as the places go. */
  begin(second: number, stock: Stock): readonly (() => void)[]
  readonly told: Readonly<Deliveries>
  waiting(): number
}

/** A message names the number of tries that it saw. */
interface Hint {
  readonly row: Row
  readonly n: number
}

/** A scan begins each minute. */
const SCAN = 60
/** Seconds. */
const LATE = 60

export function simulatedDestination(service: Service, receiver: Receiver, random: Random): SimulatedDestination {
  const { name, concurrency } = service
  const callCost = BUSY.delivery + receiver.answerMilliseconds
  const draws = drawsOf(name, callCost)
  const tries = triesOf(service, receiver, random)
  const [queue, later, sweep, open] = [lineOf<Hint>(), agendaOf<Hint>(), agendaOf<Row>(), new Set<Row>()]
  const told: Deliveries = { stored: 0, delivered: 0, dead: 0, tries: 0, dropped: 0, most: 0, lateAt: 0 }
  let [budget, pollers, toWake, stoppedAt] = [0, 0, 0, -1]

  const isHad = (stock: Stock, byLane: Lanes) => stock.take(byLane[random.below(byLane.length)] ?? []) === undefined

  function sweepAgain(row: Row, second: number): void {
    row.sweepAt = second
    sweep.add(second, row)
  }

  function note(second: number): void {
    const [oldest] = open
    if (oldest && second * SECOND - oldest.receivedAt.getTime() > LATE * SECOND) told.lateAt = second
    told.most = Math.max(told.most, open.size)
  }

  function* overdue(second: number): Generator<Row> {
    for (const row of sweep.dueBy(second)) if (open.has(row) && row.sweepAt <= second) yield row
  }

  /** False if the service itself has no room for the try, and nothing has happened. */
  function attempt(row: Row, second: number, stock: Stock, isProbe = false): boolean {
    if (!isHad(stock, draws[row.attempts === 0 ? 'first' : 'further'][`${tries.fails(second)}`])) return false
    const end = tries.end(row, second, isProbe)
    told.tries += 1
    if (end.kind === 'again') {
      sweepAgain(row, end.at)
      if (end.isHinted) later.add(end.at, { row, n: row.attempts })
      return true
    }
    open.delete(row)
    told[end.kind] += 1
    return true
  }

  /** An open circuit lets one delivery through, when its time has come. */
  function probe(second: number, stock: Stock): void {
    if (second % SCAN !== 0 || !tries.takesProbe(second)) return
    for (const row of overdue(second).take(1)) {
      sweepAgain(row, second + HINT_PAUSE / SECOND)
      attempt(row, second, stock, true)
    }
  }

  /** Sends a message for each delivery that is overdue. */
  function wake(second: number, stock: Stock): void {
    if (second % SCAN === 0) toWake = HINTS_PER_PLACE * concurrency
    for (const row of overdue(second).take(Math.min(toWake, PACE))) {
      sweepAgain(row, second + HINT_PAUSE / SECOND)
      if (isHad(stock, draws.woken)) queue.push({ row, n: row.attempts })
      toWake -= 1
    }
  }

  const isDue = ({ row, n }: Hint) => !tries.isOpen() && open.has(row) && row.attempts === n

  /** Takes the first message, unless the service has no room for it in this second. */
  function work(second: number, stock: Stock): void {
    const hint = stoppedAt === second ? undefined : queue.first()
    if (hint && !serve(hint, second, stock)) stoppedAt = second
  }

  function serve(hint: Hint, second: number, stock: Stock): boolean {
    return isDue(hint) ? pay(callCost, () => attempt(hint.row, second, stock)) : pay(BUSY.delivery, () => drop(stock))
  }

  /** @param run tells whether it was done */
  function pay(cost: number, run: () => boolean): boolean {
    const isDone = budget >= cost && run()
    if (isDone) budget -= cost
    if (isDone) queue.shift()
    return isDone
  }

  function drop(stock: Stock): boolean {
    const isDropped = isHad(stock, draws.dropped[`${tries.isOpen()}`])
    if (isDropped) told.dropped += 1
    return isDropped
  }

  return {
    told,
    waiting: () => open.size,
    store(second) {
      const row = { receivedAt: new Date(second * SECOND), attempts: 0, sweepAt: 0 }
      told.stored += 1
      open.add(row)
      sweepAgain(row, second + leaseOf(service) / SECOND)
      queue.push({ row, n: 0 })
    },
    begin(second, stock) {
      for (const hint of later.dueBy(second)) queue.push(hint)
      note(second)
      if (tries.isOpen()) probe(second, stock)
      else wake(second, stock)
      const { firstPollers, morePollers } = QUOTAS
      const grown = Math.max(firstPollers.figure, pollers + morePollers.figure / 60)
      pollers = queue.length() > 0 ? Math.min(concurrency, grown) : 0
      budget = Math.min(budget + pollers * SECOND, pollers * Math.max(SECOND, callCost))
      const most = Math.min(queue.length(), Math.ceil(budget / BUSY.delivery))
      return Array.from({ length: most }, () => () => work(second, stock))
    },
  }
}
