import type { Counter, Dimensions, Gauge, Metrics } from '../../../lib/runtime/metrics.ts'

/** Keeps what was counted and measured. */
export interface RecordingMetrics extends Metrics {
  readonly counted: readonly (readonly [Counter, Dimensions])[]
  readonly measured: readonly (readonly [Gauge, number, Dimensions?])[]
}

export function recordingMetrics(): RecordingMetrics {
  const counted: [Counter, Dimensions][] = []
  const measured: [Gauge, number, Dimensions?][] = []
  return {
    counted,
    measured,
    count: (counter, dimensions = {}) => void counted.push([counter, dimensions]),
    measure: (gauge, milliseconds, dimensions) =>
      void measured.push(dimensions ? [gauge, milliseconds, dimensions] : [gauge, milliseconds]),
  }
}
