import type { ByStage, DestinationConfig } from '../../config.ts'

/** The field of a destination that may differ between stages, and what is in it. */
export function stagedOf(destination: DestinationConfig): { readonly field: string; readonly value: string | ByStage } {
  switch (destination.to) {
    case 'http':
      return { field: 'url', value: destination.url }
    case 'sqs':
      return { field: 'queue', value: destination.queue }
    case 'eventbridge':
      return { field: 'bus', value: destination.bus }
  }
}

/** What a value is on a stage; undefined if it is not said. */
export function valueOn(stage: string, value: string | ByStage): string | undefined {
  if (typeof value === 'string') return value
  const values = new Map(Object.entries(value.byStage))
  return values.get(stage) ?? values.get('default')
}
