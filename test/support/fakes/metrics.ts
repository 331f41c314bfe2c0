import type { Counter, Dimensions, Metrics } from '../../../lib/webhooks/metrics.ts'

/** Keeps what was counted. */
export interface RecordingMetrics extends Metrics {
  readonly counted: readonly (readonly [Counter, Dimensions])[]
}

export function recordingMetrics(): RecordingMetrics {
  const counted: [Counter, Dimensions][] = []
  return {
    counted,
    count: (counter, dimensions = {}) => void counted.push([counter, dimensions]),
    measure: () => {},
  }
}
