import type { Point } from './watched.ts'

interface Published {
  readonly _aws: {
    readonly Timestamp: number
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string
      readonly Dimensions: readonly (readonly string[])[]
      readonly Metrics: readonly { readonly Name: string }[]
    }[]
  }
  readonly [member: string]: unknown
}

/** What CloudWatch makes of a line of a log (CloudWatch user guide, "Specification: Embedded metric format"). */
export function pointsIn(line: string): readonly Point[] {
  const content = jsonIn(line)
  if (content === undefined || !('_aws' in content)) return []
  const { _aws: aws, ...members } = content as unknown as Published
  return aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name])]))
      return Metrics.flatMap(({ Name }) =>
        [members[Name]].flat().map((value) => ({
          namespace: Namespace,
          name: Name,
          dimensions,
          at: aws.Timestamp,
          value: Number(value),
        })),
      )
    }),
  )
}

/** A line that is a JSON object. */
export function jsonIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const TERM = /^\(\$\.(\w+) = "([^"]*)"\)$/

/** Whether a line is one of a metric filter: `{ ($.name = "value") && … }` (CloudWatch Logs user guide, "Filter pattern syntax"). */
export function isFiltered(pattern: string, line: string): boolean {
  const [, terms] = /^\{ (.+) \}$/.exec(pattern) ?? []
  if (terms === undefined) throw new Error(`not known here: ${pattern}`)
  const content = jsonIn(line)
  return terms.split(' && ').every((term) => {
    const [, name, value] = TERM.exec(term) ?? []
    if (name === undefined) throw new Error(`not known here: ${term}`)
    return content?.[name] === value
  })
}
