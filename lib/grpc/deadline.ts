import { LONGEST_MS } from '../runtime/timers.ts'

const NAME = 'grpc-timeout'

const FORM = /^(\d+)([HMSmun])$/

/** In milliseconds, by https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1000],
  ['m', 1],
  ['u', 1e-3],
  ['n', 1e-6],
])

/**
 * Takes away a deadline that is further off than a timer reaches: grpc-js 1.14.7 would end the call at once, or far too
 * early. No connection lives that long.
 */
export function dropFarDeadline(headers: Partial<Record<string, unknown>>): void {
  const [, amount, unit = ''] = FORM.exec(String(headers[NAME])) ?? []
  if (Number(amount) * (UNITS.get(unit) ?? 0) > LONGEST_MS) delete headers[NAME]
}
