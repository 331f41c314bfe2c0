import type { GatehouseConfig } from '../../lib/config.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { spanMs } from '../../lib/webhooks/configured/span.ts'
import { logicalIdOf } from '../logical-id.ts'
import { deadLetterQueueOf, deliverFunctionOf } from './names.ts'
import type { StackResource, StackResources } from './resources.ts'

type Properties = StackResource['Properties']

interface AlarmRow {
  /** The part of the logical id between the destination and `Alarm`. */
  readonly id: string
  readonly tells: (destination: string) => string
  /** What is not as in the model: the sum of five minutes is above 0. */
  readonly looks: Properties
  /** A number of something else than the destination. */
  readonly at?: (destination: string) => readonly object[]
}

/** By their sections in docs/runbook.md. */
const ALARMS: Readonly<Record<string, AlarmRow>> = {
  'dead-deliveries': {
    id: 'Dead',
    tells: (name) => `A delivery to ${name} was given up`,
    looks: { MetricName: 'DeadDeliveries' },
  },
  'oldest-delivery': {
    id: 'Oldest',
    tells: (name) => `A delivery to ${name} has been due for more than 70 minutes`,
    looks: { MetricName: 'OldestDeliveryAge', Statistic: 'Maximum', Period: 3600, Threshold: 4_200_000 },
  },
  // Counted by each scan, once a minute; some may come late.
  'circuit-open': {
    id: 'Open',
    tells: (name) => `Destination ${name} has failed for more than 15 minutes`,
    looks: { MetricName: 'CircuitOpen', Period: 60, EvaluationPeriods: 18, DatapointsToAlarm: 15 },
  },
  'destination-disabled': {
    id: 'Disabled',
    tells: (name) => `Destination ${name} is disabled`,
    looks: { MetricName: 'DestinationDisabled' },
  },
  'delivery-dead': {
    id: 'DeadLetter',
    tells: (name) => `A hint to deliver to ${name} failed five times`,
    looks: {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Statistic: 'Maximum',
      Period: 60,
    },
    at: (name) => [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetterQueueOf(name), 'QueueName'] } }],
  },
}

/**
 * The alarms of each destination.
 * @param prefix what all names begin with
 * @param model an alarm of resources/alarms.yml, whose actions and treatment of silence they share
 */
export function deliveryAlarms(
  destinations: readonly Pick<Destination, 'name'>[],
  prefix: string,
  model: StackResource,
): StackResources {
  const alarms = destinations.flatMap(({ name }) =>
    Object.entries(ALARMS).map(([suffix, row]) => {
      const ofDestination = [
        { Name: 'service', Value: prefix },
        { Name: 'destination', Value: name },
      ]
      const own = {
        AlarmName: `${prefix}-${suffix}-${name}`,
        AlarmDescription: `${row.tells(name)}, docs/runbook.md#${suffix}`,
        Dimensions: row.at?.(name) ?? ofDestination,
        ...row.looks,
      }
      const id = `${logicalIdOf(deliverFunctionOf(name))}${row.id}Alarm`
      return [id, { Type: model.Type, Properties: { ...model.Properties, ...own } }] as const
    }),
  )
  return Object.fromEntries(alarms)
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
