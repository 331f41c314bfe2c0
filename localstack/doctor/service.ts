import { type Finding, failing, passed, warn } from '../../infra/finding.ts'
import { type PortName, type Ports, purposeOf } from '../ports.ts'

/** What a running service reports about itself. */
export interface Answering {
  /** Its clock, to the second. */
  readonly date: Date
  /** Our clock when the service answered. */
  readonly answeredAt: Date
}

interface Probe {
  readonly ports: Ports
  readonly wanted: readonly PortName[]
  readonly answers: (name: PortName, port: number) => Promise<boolean>
}

/** The gateway listens on this port only for functions that use it. */
const RESERVED: readonly PortName[] = ['websocket']

/** Checks that every part of a running run answers. */
export async function checkService({ ports, wanted, answers }: Probe): Promise<readonly Finding[]> {
  const used = wanted.filter((name) => !RESERVED.includes(name))
  const answered = await Promise.all(used.map((name) => answers(name, ports[name])))
  const silent = used.filter((_, index) => !answered[index])
  if (silent.length === 0) return [passed('service', `running, and answers on all its ${used.length} ports`)]
  return silent.map((name) =>
    failing(
      'service',
      `${purposeOf(name)} on port ${ports[name]} does not answer`,
      'stop npm start and start it again',
    ),
  )
}

/** Any earlier clock is wrong. */
const EARLIEST = new Date('2026-01-01T00:00:00Z')

/** Tolerance in milliseconds: a date header has no milliseconds, and the answer takes time. */
const PRECISION = 2000

/** From this difference on, in milliseconds, signatures and tokens are refused: the tolerance of most schemes. */
const TOLERANCE = 300_000

const REMEDY = 'set the clock, for instance with timedatectl set-ntp true'

/** @param service undefined if none is running */
export function checkClock(now: Date, service: Answering | undefined): Finding {
  if (now < EARLIEST) return failing('clock', `shows ${now.toISOString()}`, REMEDY)
  const skew = service === undefined ? 0 : Math.abs(service.date.getTime() - service.answeredAt.getTime())
  if (skew <= PRECISION)
    return passed('clock', service === undefined ? now.toISOString() : 'that of the running service')
  const message = `${Math.round(skew / 1000)} s from that of the running service`
  return skew < TOLERANCE ? warn('clock', message, REMEDY) : failing('clock', message, REMEDY)
}
