import type { Resource } from '../../../test/support/template/template.ts'

/** Types whose name the template chooses, and which property that is: one account and region has each name once. */
const NAMES: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::DomainName': 'DomainName',
  'AWS::CloudWatch::Alarm': 'AlarmName',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::ECS::Cluster': 'ClusterName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::Route53::RecordSet': 'Name',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
}

/** "You must wait 60 seconds after deleting a queue before you can create another with the same name" (SQS, DeleteQueue). */
const QUEUE_NAME_RESTS = 60

export interface Thing {
  readonly type: string
  readonly name: string
  isProtected: boolean
  /** What a bucket holds; one that is not empty cannot be deleted. */
  isFull: boolean
}

/** What is there in one account and region, by the id that CloudFormation calls physical. */
export class Account {
  readonly #things = new Map<string, Thing>()
  readonly #restsUntil = new Map<string, number>()
  #made = 0
  /** Seconds, from any origin. */
  now = 0

  /** @returns its physical id @throws Error as the service words it */
  make(logicalId: string, { Type: type, Properties: properties = {} }: Resource, stack: string): string {
    const given = properties[NAMES[type] ?? '']
    const name = typeof given === 'string' ? given : `${stack}-${logicalId}-${++this.#made}`.toLowerCase()
    const id = keyOf(type, properties, name)
    if (this.#things.has(id)) throw new Error(`${name} already exists`)
    if ((this.#restsUntil.get(id) ?? 0) > this.now) throw new Error('QueueDeletedRecently: wait 60 seconds')
    this.#things.set(id, { type, name, isProtected: properties['DeletionProtectionEnabled'] === true, isFull: false })
    return id
  }

  /** @throws Error as the service words it */
  unmake(id: string): void {
    const { type, name, isProtected, isFull } = this.#things.get(id) ?? {}
    if (isProtected) throw new Error(`Resource cannot be deleted as it is currently protected: ${name}`)
    if (isFull) throw new Error('The bucket you tried to delete is not empty')
    if (type === 'AWS::SQS::Queue') this.#restsUntil.set(id, this.now + QUEUE_NAME_RESTS)
    this.#things.delete(id)
  }

  get(id: string): Thing | undefined {
    return this.#things.get(id)
  }

  /** @throws Error if there is none */
  named(type: string, name: string): Thing {
    const found = this.#things.get(`${type} ${name}`)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  names(): readonly string[] {
    return [...this.#things.values()].map(({ name }) => name)
  }
}

/** Two records of a zone may have one name. */
function keyOf(type: string, properties: Readonly<Record<string, unknown>>, name: string): string {
  return type === 'AWS::Route53::RecordSet' ? `${type} ${name} ${properties['Type']}` : `${type} ${name}`
}
