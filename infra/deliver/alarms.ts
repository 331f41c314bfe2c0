import type { GatehouseConfig } from '../../lib/config.ts'
import { type Destination, hasOwnAlarms, type OwnAlarms } from '../../lib/deliver/destination.ts'
import { spanMs } from '../../lib/webhooks/configured/schema.ts'
import { deliverIdOf } from '../names.ts'
import type { StackResource, StackResources } from './resources.ts'

type Properties = StackResource['Properties']

/** How an alarm looks at a number of deliveries, and since when it is one too many. */
interface AlarmRow {
  /** The part of the logical id before `Alarm`. */
  readonly id: string
  readonly tells: (whose: string) => string
  readonly looks: (own: OwnAlarms) => Properties
}

/** By their sections in docs/runbook.md. */
const ALARMS: Readonly<Record<string, AlarmRow>> = {
  'dead-deliveries': {
    id: 'Dead',
    tells: (whose) => `A delivery ${whose} was given up`,
    looks: ({ deadAfter }) => ({
      MetricName: 'DeadDeliveries',
      ...(deadAfter !== undefined && { Period: HOUR, Threshold: deadAfter - 1 }),
    }),
  },
  'oldest-delivery': {
    id: 'Oldest',
    tells: (whose) => `A delivery ${whose} has been due for too long`,
    looks: ({ oldestMinutes = 70 }) => ({
      ...{ MetricName: 'OldestDeliveryAge', Statistic: 'Maximum' },
      ...{ Period: oldestMinutes < 60 ? 300 : HOUR, Threshold: oldestMinutes * 60_000 },
    }),
  },
}

const HOUR = 3600

/**
 * Two alarms for all destinations, and two more for each that has its own.
 * @param prefix what all names begin with
 * @param model an alarm of resources/alarms.yml, whose actions and treatment of silence they share
 */
export function deliveryAlarms(
  destinations: readonly Pick<Destination, 'name' | 'alarms'>[],
  prefix: string,
  model: StackResource,
): StackResources {
  const service = { Name: 'service', Value: prefix }
  const own = destinations.flatMap(({ name, alarms }) => {
    if (!alarms) return []
    const at = { whose: `to ${name}`, suffix: `-${name}`, dimensions: [service, { Name: 'destination', Value: name }] }
    return alarmsOf(deliverIdOf(name), alarms, at)
  })
  const shared = { whose: 'to a destination', suffix: '', dimensions: [service] }
  const all = destinations.every(hasOwnAlarms) ? [] : alarmsOf('Delivery', {}, shared)

  function alarmsOf(id: string, given: OwnAlarms, { whose, suffix, dimensions }: typeof shared) {
    return Object.entries(ALARMS).map(([section, row]) => {
      const properties = {
        AlarmName: `${prefix}-${section}${suffix}`,
        AlarmDescription: `${row.tells(whose)}, docs/runbook.md#${section}`,
        Dimensions: dimensions,
        ...row.looks(given),
        ...(given.topic && { AlarmActions: [given.topic] }),
      }
      return [`${id}${row.id}Alarm`, { Type: model.Type, Properties: { ...model.Properties, ...properties } }] as const
    })
  }

  return Object.fromEntries([...all, ...own])
}

/** The longest time that an alarm with periods below an hour may look at, in seconds (CloudWatch API, PutMetricAlarm). */
const DAY = 86_400

/**
 * The alarms of the sources with `expectEvery`. Without an accepted event there is no number at all: that is the alarm.
 * @param prefix what all names begin with
 * @param model an alarm of resources/alarms.yml at missing numbers
 */
export function silenceAlarms(
  sources: NonNullable<GatehouseConfig['sources']>,
  prefix: string,
  model: StackResource,
): StackResources {
  const alarms = Object.entries(sources).flatMap(([name, { expectEvery }]) => {
    if (expectEvery === undefined) return []
    const seconds = spanMs(expectEvery) / 1000
    const period = seconds > DAY ? 3600 : 300
    const own = {
      AlarmName: `${prefix}-source-silent-${name}`,
      AlarmDescription: `No call of ${name} was accepted for ${expectEvery}, docs/runbook.md#source-silent`,
      MetricName: 'Accepted',
      Statistic: 'Sum',
      Dimensions: [
        { Name: 'service', Value: prefix },
        { Name: 'source', Value: name },
      ],
      Period: period,
      EvaluationPeriods: Math.ceil(seconds / period),
    }
    return [[`SilentSource${wordOf(name)}Alarm`, { Type: model.Type, Properties: { ...model.Properties, ...own } }]]
  })
  return Object.fromEntries(alarms)
}

const WORDS: Readonly<Record<string, string>> = { '.': 'Dot', _: 'Underscore', '-': 'Dash' }

/** A logical id has letters and digits alone; names of sources are in lower case, so no two have one word. */
function wordOf(name: string): string {
  return name.replaceAll(/[._-]/g, (mark) => WORDS[mark] ?? '')
}
