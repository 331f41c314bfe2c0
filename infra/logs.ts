import { logicalIdOf } from './names.ts'

/** The part of the deployment engine with the names of service and stage, the functions, and the resources of the stack. */
export interface LogsEngine {
  readonly service: NamedService & {
    readonly provider: { readonly logRetentionInDays?: number }
    readonly resources: { readonly Resources: Record<string, unknown> }
    readonly functions: Readonly<Record<string, LoggingFunction>>
  }
}

export interface NamedService {
  readonly service: string
  readonly provider: { readonly environment: Readonly<Record<string, unknown>> }
}

export interface LoggingFunction {
  /** As `dist/api/users/index.handler`. */
  readonly handler: string
}

/** The log group of a function: its logical id and its name. */
export function logGroupOf({ handler }: LoggingFunction, { service, provider }: NamedService) {
  const [, folder = ''] = handler.split('/')
  return { id: `${logicalIdOf(folder)}LogGroup`, name: `/${service}/${provider.environment['STAGE']}/${folder}` }
}

/**
 * Gives the functions of a folder one log group, in place of one for each function: a stack may have 500 resources. The name
 * of a log stream has the function (Lambda developer guide, "Configuring CloudWatch log groups").
 */
export function shareLogs({ service }: LogsEngine): void {
  for (const declared of Object.values(service.functions)) {
    const { id, name } = logGroupOf(declared, service)
    Object.assign(declared, { disableLogs: true, logs: { logGroup: name }, dependsOn: id })
    service.resources.Resources[id] = {
      Type: 'AWS::Logs::LogGroup',
      Properties: { LogGroupName: name, RetentionInDays: service.provider.logRetentionInDays },
    }
  }
}
