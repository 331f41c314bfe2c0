import { logicalIdOf } from './logical-id.ts'
import { type LoggingFunction, logGroupOf, type NamedService } from './logs.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DashboardEngine {
  readonly service: NamedService & {
    readonly functions: Readonly<Record<string, LoggingFunction>>
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
export function fillDashboard({ service }: DashboardEngine): void {
  const { functions, resources } = service
  const { Properties } = resources.Resources['Dashboard'] as Dashboard
  const sub = Properties.DashboardBody['Fn::Sub']
  const ids = Object.keys(functions).map((name) => `${logicalIdOf(name)}LambdaFunction`)
  const logs = [...new Set(Object.values(functions).map((declared) => logGroupOf(declared, service).id))]
  sub[0] = sub[0]
    .split('\n')
    .flatMap((line) => linesFor(line, /\$\{EachFunction\}/, ids))
    .flatMap((line) => linesFor(line, /\$\{EachLog\}/, logs))
    .join('\n')
}

function linesFor(line: string, placeholder: RegExp, ids: readonly string[]): readonly string[] {
  if (!placeholder.test(line)) return [line]
  return ids.map((id, number) =>
    line.replace(placeholder, () => `\${${id}}`).replace(/\$\{EachNumber\}/, String(number)),
  )
}
