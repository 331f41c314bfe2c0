import { globSync, readFileSync } from 'node:fs'

/** What the benchmark measured of one function, in milliseconds (quality/bench/results/functions.md). */
export interface Measured {
  readonly firstAnswer: number
  readonly nextAnswerCpu: number
}

/** @throws Error for a function without a measurement */
export function measuredOf(name: string): Measured {
  const row = readFileSync('quality/bench/results/functions.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
  const [, , firstAnswer, , , nextAnswerCpu] = (row ?? '').split('|').slice(1, -1).map(Number)
  if (firstAnswer === undefined || nextAnswerCpu === undefined) throw new Error(`${name} was not measured`)
  return { firstAnswer, nextAnswerCpu }
}

/** The number of resources of a type in the stack without the container. */
export function declared(type: string): number {
  return resources().split(`Type: ${type}\n`).length - 1
}

/** What alarms are paid by: each metric that one of metric math computes with, or else the alarm's only one. */
export function metricsInAlarms(): number {
  const computed = resources().split('MetricStat:').length - 1
  const withMath = resources().split('Expression: ').length - 1 - QUERIES
  return declared('AWS::CloudWatch::Alarm') - withMath + computed
}

/** Alarms on a query of Metrics Insights, each counted as one metric here. */
const QUERIES = 1

function resources(): string {
  return globSync('infra/resources/*.yml')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}
