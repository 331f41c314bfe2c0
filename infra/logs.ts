import { logicalIdOf } from './logical-id.ts'

/** The part of the deployment engine with the functions of serverless.yml and the resources of its stack. */
export interface LogsEngine {
  readonly service: {
    readonly service: string
    readonly provider: { readonly environment: Readonly<Record<string, unknown>>; readonly logRetentionInDays?: number }
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, LoggingFunction>>
  }
}

interface LoggingFunction {
  readonly handler: string
  disableLogs?: boolean
  logs?: { readonly logGroup: string }
  dependsOn?: string
}

/** The logical id of the log group of a function. @param handler as `dist/api/users/index.handler` */
export function logGroupIdOf(handler: string): string {
  return `${logicalIdOf(folderOf(handler))}LogGroup`
}

function folderOf(handler: string): string {
  return handler.split('/')[1] ?? ''
}

/**
 * Gives the functions of a folder one log group, in place of one for each function: a stack may have 500 resources. The name
 * of a log stream begins with the date and the function (Lambda developer guide, "Configuring CloudWatch log groups").
 */
export function shareLogs({ service }: LogsEngine): void {
  const { functions, provider, resources } = service
  for (const declared of Object.values(functions)) {
    const id = logGroupIdOf(declared.handler)
    const logGroup = `/${service.service}/${provider.environment['STAGE']}/${folderOf(declared.handler)}`
    Object.assign(declared, { disableLogs: true, logs: { logGroup }, dependsOn: id })
    resources.Resources[id] = {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: logGroup, RetentionInDays: provider.logRetentionInDays },
    }
  }
}
