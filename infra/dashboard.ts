import { logicalIdOf } from './logical-id.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface DashboardEngine {
  readonly service: {
    readonly functions: Readonly<Record<string, unknown>>
    readonly resources: { readonly Resources: Record<string, unknown> }
  }
}

/** A dashboard whose body is put together by `Fn::Sub`. */
export interface Dashboard {
  readonly Properties: { readonly DashboardBody: { readonly 'Fn::Sub': [body: string, values: object] } }
}

/** Replaces every line of the dashboard with a placeholder for functions by one line per function. */
export function fillDashboard({ service: { functions, resources } }: DashboardEngine): void {
  const { Properties } = resources.Resources['Dashboard'] as Dashboard
  const sub = Properties.DashboardBody['Fn::Sub']
  const ids = Object.keys(functions).map(logicalIdOf)
  sub[0] = sub[0]
    .split('\n')
    .flatMap((line) =>
      /\$\{Each(Function|Log)\}/.test(line) ? ids.map((id, number) => lineOf(line, id, number)) : line,
    )
    .join('\n')
}

function lineOf(line: string, id: string, number: number): string {
  return line
    .replace(/\$\{EachFunction\}/, () => `\${${id}LambdaFunction}`)
    .replace(/\$\{EachLog\}/, () => `\${${id}LogGroup}`)
    .replace(/\$\{EachNumber\}/, String(number))
}
