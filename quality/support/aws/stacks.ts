import { parse } from 'yaml'
import type { Template } from '../../../test/support/template/template.ts'
import type { Account } from './account.ts'
import { type Asked, type Operations, Refusal } from './answers.ts'
import { type Failing, Stack } from './cloudformation.ts'

interface ChangeSet {
  readonly type: 'CREATE' | 'UPDATE'
  readonly body: string
}

export interface Stacks {
  readonly operations: Operations
  readonly byName: ReadonlyMap<string, Stack>
}

const REGION_AND_ACCOUNT = 'eu-central-1:111122223333'
const FIRST_MOMENT = Date.UTC(2026, 0, 1)

/**
 * CloudFormation's API, as far as the deployment engine and AWS's command line use it. A change set is executed at once.
 * @param textAt what is at an address of S3
 * @param failing what fails now
 * @param outputs of every stack
 */
export function cloudFormation(
  account: Account,
  textAt: (url: string) => string,
  failing: () => Failing | undefined,
  outputs: () => Readonly<Record<string, string>>,
): Stacks {
  const stacks = new Map<string, Stack>()
  const changeSets = new Map<string, ChangeSet>()

  function find({ StackName: given = '' }: Asked): Stack {
    const name = /stack\/([^/]+)/.exec(given)?.[1] ?? given
    const stack =
      stacks.get(name) ??
      [...stacks.values()].flatMap(({ nested }) => [...nested.values()]).find((each) => each.name === name)
    if (stack === undefined) throw new Refusal('ValidationError', `Stack with id ${name} does not exist`)
    return stack
  }

  const refusing = <T>(attempt: () => T): T => {
    try {
      return attempt()
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal('ValidationError', (error as Error).message)
    }
  }

  const idOf = (name: string) => `arn:aws:cloudformation:${REGION_AND_ACCOUNT}:stack/${name}/1`
  const bodyOf = ({ TemplateBody: body, TemplateURL: url }: Asked) => body ?? textAt(url ?? '')
  const templateIn = (body: string) => parse(body, { logLevel: 'silent' }) as Template
  const keyOf = ({ StackName: stack, ChangeSetName: name }: Asked) => `${stack}/${name?.split('/').at(-1)}`

  function described(stack: Stack) {
    return {
      StackId: idOf(stack.name),
      StackName: stack.name,
      StackStatus: stack.status,
      CreationTime: new Date(FIRST_MOMENT).toISOString(),
      EnableTerminationProtection: stack.isProtected,
      Outputs: Object.entries(outputs()).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    }
  }

  const bucketOf = ({ resources }: Stack) =>
    account.get(resources.get('ServerlessDeploymentBucket')?.id ?? '')?.name ?? ''

  const resourceIn = (stack: Stack, id = '') => {
    const made = stack.resources.get(id)
    const nested = stack.nested.get(id)
    if (made === undefined && nested === undefined)
      throw new Refusal('ValidationError', `Resource ${id} does not exist for stack ${stack.name}`)
    return {
      LogicalResourceId: id,
      PhysicalResourceId: nested ? idOf(nested.name) : account.get(made?.id ?? '')?.name,
      ResourceType: made?.resource.Type ?? 'AWS::CloudFormation::Stack',
      ResourceStatus: 'CREATE_COMPLETE',
      LastUpdatedTimestamp: new Date(FIRST_MOMENT).toISOString(),
    }
  }

  const operations: Operations = {
    ValidateTemplate: (asked) => {
      templateIn(bodyOf(asked))
      return { Parameters: [] }
    },
    DescribeStacks: (asked) => ({ Stacks: [described(find(asked))] }),
    GetTemplate: (asked) => ({ TemplateBody: JSON.stringify(find(asked).template) }),
    CreateChangeSet: (asked) => {
      const { StackName: name = '', ChangeSetType: type } = asked
      changeSets.set(keyOf(asked), { type: type === 'CREATE' ? 'CREATE' : 'UPDATE', body: bodyOf(asked) })
      return { Id: `arn:aws:cloudformation:${REGION_AND_ACCOUNT}:changeSet/${keyOf(asked)}`, StackId: idOf(name) }
    },
    DescribeChangeSet: (asked) => ({
      ChangeSetName: asked['ChangeSetName'],
      StackName: asked['StackName'],
      StackId: idOf(asked['StackName'] ?? ''),
      Status: 'CREATE_COMPLETE',
      Changes: [{ Type: 'Resource' }],
    }),
    DeleteChangeSet: (asked) => {
      changeSets.delete(keyOf(asked))
      return {}
    },
    ExecuteChangeSet: (asked) => {
      const { type, body } = changeSets.get(keyOf(asked)) ?? { type: 'UPDATE', body: '{}' }
      const { StackName: name = '' } = asked
      const nestedAt = (url: unknown) => templateIn(textAt(addressIn(url, bucketOf(find(asked)))))
      const stack = type === 'CREATE' ? new Stack(name, account, nestedAt) : find(asked)
      refusing(() =>
        type === 'CREATE' ? stack.create(templateIn(body), failing()) : stack.update(templateIn(body), failing()),
      )
      stacks.set(name, stack)
      return {}
    },
    DescribeStackEvents: (asked) => {
      const stack = find(asked)
      const events = stack.events.map(({ logicalId, type, physicalId, status, reason }, index) => ({
        StackId: idOf(stack.name),
        StackName: stack.name,
        EventId: `${stack.name}-${index}`,
        LogicalResourceId: logicalId,
        PhysicalResourceId: logicalId === stack.name ? idOf(stack.name) : physicalId,
        ResourceType: type,
        ResourceStatus: status,
        ResourceStatusReason: reason,
        Timestamp: new Date(FIRST_MOMENT + index * 1000).toISOString(),
      }))
      return { StackEvents: events.reverse() }
    },
    DescribeStackResource: (asked) => ({ StackResourceDetail: resourceIn(find(asked), asked['LogicalResourceId']) }),
    ListStackResources: (asked) => {
      const stack = find(asked)
      return { StackResourceSummaries: [...stack.resources.keys()].map((id) => resourceIn(stack, id)) }
    },
    UpdateTerminationProtection: (asked) => {
      const stack = find(asked)
      stack.isProtected = asked['EnableTerminationProtection'] === 'true'
      return { StackId: idOf(stack.name) }
    },
    ContinueUpdateRollback: (asked) => {
      const stack = find(asked)
      if (stack.status !== 'UPDATE_ROLLBACK_FAILED')
        throw new Refusal('ValidationError', `Stack:${stack.name} is in ${stack.status} state`)
      stack.status = 'UPDATE_ROLLBACK_COMPLETE'
      return {}
    },
    DeleteStack: (asked) => {
      const stack = find(asked)
      refusing(() => stack.delete())
      if (stack.status === 'DELETE_COMPLETE') stacks.delete(stack.name)
      return {}
    },
  }
  return { operations, byName: stacks }
}

/** The address of a template, which another template joins from the bucket of the packages and a path. */
function addressIn(url: unknown, bucket: string): string {
  const [, parts = []] = (url as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'] ?? []
  const values: Readonly<Record<string, string>> = {
    'AWS::Region': 'eu-central-1',
    'AWS::URLSuffix': 'amazonaws.com',
    ServerlessDeploymentBucket: bucket,
  }
  return parts.map((part) => (typeof part === 'string' ? part : values[(part as { Ref: string }).Ref])).join('')
}
