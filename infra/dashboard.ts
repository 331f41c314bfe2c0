import { logicalIdOf } from './logical-id.ts'
import { logGroupIdOf } from './logs.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DashboardEngine {
  readonly service: {
    readonly functions: Readonly<Record<string, { readonly handler: string }>>
    readonly resources: { readonly Resources: Record<string, unknown> }
  }
}

/** A dashboard whose body is put together by `Fn::Sub`. */
export interface Dashboard {
  readonly Properties: { readonly DashboardBody: { readonly 'Fn::Sub': [body: string, values: object] } }
}

/**
 * Replaces every line of the dashboard with a placeholder for functions by one line per function, and one with a placeholder
 * for logs by one line per log group.
 */
export function fillDashboard({ service: { functions, resources } }: DashboardEngine): void {
  const { Properties } = resources.Resources['Dashboard'] as Dashboard
  const sub = Properties.DashboardBody['Fn::Sub']
  const replaced: Readonly<Record<string, readonly string[]>> = {
    '${EachFunction}': Object.keys(functions).map((name) => `\${${logicalIdOf(name)}LambdaFunction}`),
    '${EachLog}': [...new Set(Object.values(functions).map(({ handler }) => `\${${logGroupIdOf(handler)}}`))],
  }
  sub[0] = sub[0]
    .split('\n')
    .flatMap((line) => {
      const found = Object.entries(replaced).find(([placeholder]) => line.includes(placeholder))
      if (!found) return line
      const [placeholder, references] = found
      return references.map((reference, number) =>
        line.replace(placeholder, () => reference).replace('${EachNumber}', String(number)),
      )
    })
    .join('\n')
}
