import type { GatehouseConfig } from '../../config.ts'
import { PROVIDERS } from '../providers/index.ts'
import { daysBeyondRetries } from './horizon.ts'
import { EVERY_SOURCE, USUAL_DAYS } from './longest.ts'

/** For how many days the payloads of each source are kept. */
export interface Retention {
  /** Of a source of any name, also of one that is configured no more. */
  daysOf(source: string): number
  /** Every number of days that some source has, ascending. */
  readonly spans: readonly number[]
  /** The same text for the same retention of all sources. */
  readonly mark: string
}

/**
 * The retention of each source. One that is not named is kept as long as `*` says, or longer than its provider repeats an
 * event.
 * @param config without a mistake
 */
export function retentionOf(config: GatehouseConfig): Retention {
  const { [EVERY_SOURCE]: usual = USUAL_DAYS, ...given } = config.retentionDays ?? {}
  const configured = new Map(Object.entries(config.sources ?? {}))
  const least = (name: string) => Math.max(usual, daysBeyondRetries(name, configured))
  const names = [...Object.keys(PROVIDERS), ...configured.keys()]
  const days = new Map([...names.map((name) => [name, least(name)] as const), ...Object.entries(given)])
  const others = [...days].filter(([, own]) => own !== usual).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    daysOf: (source) => days.get(source) ?? usual,
    spans: [...new Set([usual, ...days.values()])].sort((one, other) => one - other),
    mark: [[EVERY_SOURCE, usual], ...others].map(([name, own]) => `${name}=${own}`).join(' '),
  }
}
