import { Account } from './account.ts'
import { type Asked, type Operations, Refusal, type Reply, type Request, xml } from './answers.ts'
import { buckets } from './buckets.ts'
import type { Failing, Stack } from './cloudformation.ts'
import { secretsManager } from './secrets.ts'
import { forward, json, serve } from './serve.ts'
import { cloudFormation } from './stacks.ts'

/** Plays the part of AWS that the pages about a deployment use. It checks no signatures and no permissions. */
export interface StandIn {
  readonly url: string
  readonly account: Account
  readonly stacks: ReadonlyMap<string, Stack>
  /** What cannot be made from now on. */
  fail(failing?: Failing): void
  stop(): Promise<void>
}

const TABLE = 'AWS::DynamoDB::Table'

/** Where the tables and the logs of `gatehouse-prod` are: those of a local run. */
export interface StageEndpoints {
  readonly dynamodb: string
  readonly logs: string
}

/**
 * @param outputs of every stack, in place of those that only AWS could compute
 * @param endpointsOf the local run that plays the stage, once there is one
 */
export async function startStandIn(
  outputs: Readonly<Record<string, string>>,
  endpointsOf: () => StageEndpoints | undefined = () => undefined,
): Promise<StandIn> {
  const account = new Account()
  const s3 = buckets()
  let failing: Failing | undefined
  const { operations, byName } = cloudFormation(
    account,
    s3.textAt,
    () => failing,
    () => outputs,
  )
  const all: Operations = { ...operations, ...secretsManager(), ...leftBehind(account), ...OTHERS }

  function answer(request: Request): Reply | Promise<Reply> {
    const { headers, body } = request
    const target = headers['x-amz-target']
    if (target !== undefined) {
      const operation = String(target).replace(/_\d+/, '')
      const endpoint = all[operation] === undefined ? endpointOf(operation) : undefined
      return endpoint ? forward(request, endpoint) : byJson(operation, JSON.parse(body.toString()))
    }
    if (headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
      return byForm(Object.fromEntries(new URLSearchParams(body.toString())))
    return byPath(request)
  }

  function endpointOf(operation: string): string | undefined {
    const { dynamodb, logs } = endpointsOf() ?? {}
    return { DynamoDB: dynamodb, Logs: logs }[operation.split('.', 1)[0] ?? '']
  }

  function byJson(operation: string, asked: Asked): Reply {
    const found = all[operation]
    if (found === undefined) return json(400, { __type: 'UnknownOperationException', message: operation })
    try {
      return json(200, found(asked))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return json(400, { __type: error.code, message: error.message })
    }
  }

  function byForm(asked: Asked): Reply {
    const { Action: operation = '' } = asked
    try {
      const found = all[operation]
      if (found === undefined) throw new Refusal('InvalidAction', operation)
      const body = xml({ [`${operation}Response`]: { [`${operation}Result`]: found(asked) } })
      return { status: 200, headers: XML, body }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const body = xml({ ErrorResponse: { Error: { Code: error.code, Message: error.message } } })
      return { status: 400, headers: XML, body }
    }
  }

  function byPath(request: Request): Reply {
    const ofLambda = lambdaReply(request, account)
    if (ofLambda !== undefined) return ofLambda
    const reply = s3.answer(request)
    const [, bucket = ''] = request.path.split('/')
    const thing = account.get(`AWS::S3::Bucket ${bucket}`)
    if (thing) thing.isFull = s3.isFull(bucket)
    return reply
  }

  const served = await serve(answer)
  return {
    ...served,
    account,
    stacks: byName,
    fail(next) {
      failing = next
    },
  }
}

function lambdaReply({ path }: Request, account: Account): Reply | undefined {
  if (path === '/2016-08-19/account-settings') return json(200, { AccountLimit: { ConcurrentExecutions: 1000 } })
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)$/.exec(path) ?? []
  if (name === undefined) return undefined
  // Whatever was done to the stack, a rollback as well, was done to its functions a moment ago.
  return account.names().includes(name)
    ? json(200, { Configuration: { LastModified: new Date().toISOString() } })
    : json(404, { Message: 'Function not found' }, { 'x-amzn-errortype': 'ResourceNotFoundException' })
}

const XML = { 'content-type': 'text/xml' }

/** What outlives a stack, and is then deleted by hand. */
function leftBehind(account: Account): Operations {
  return {
    'DynamoDB.DescribeTable': ({ TableName: name = '' }) => ({
      Table: { TableName: name, DeletionProtectionEnabled: account.named(TABLE, name).isProtected },
    }),
    'DynamoDB.UpdateTable': ({ TableName: name = '', DeletionProtectionEnabled: isProtected }) => {
      account.named(TABLE, name).isProtected = Boolean(isProtected)
      return {}
    },
    'Logs.DeleteLogGroup': ({ logGroupName: name = '' }) => {
      account.unmake(`AWS::Logs::LogGroup ${name}`)
      return {}
    },
    'DynamoDB.DeleteTable': ({ TableName: name = '' }) => {
      account.unmake(`${TABLE} ${name}`)
      return {}
    },
  }
}

const CALLER = 'arn:aws:iam::111122223333:user/ada'

/** What is answered with what AWS would in an account without limits. */
const OTHERS: Operations = {
  GetCallerIdentity: () => ({ Arn: CALLER, Account: '111122223333', UserId: 'ada' }),
  GetRole: ({ RoleName: name }) => ({ Role: { Arn: `arn:aws:iam::111122223333:role/${name}`, RoleName: name } }),
  SimulatePrincipalPolicy: (asked) => ({
    IsTruncated: false,
    EvaluationResults: Object.entries(asked)
      .filter(([name]) => name.startsWith('ActionNames.'))
      .map(([, EvalActionName]) => ({ EvalActionName, EvalDecision: 'allowed' })),
  }),
  CreateTopic: ({ Name: name }) => ({ TopicArn: `arn:aws:sns:eu-central-1:111122223333:${name}` }),
  Subscribe: () => ({ SubscriptionArn: 'pending confirmation' }),
  'ServiceQuotasV20190624.GetServiceQuota': () => ({ Quota: { QuotaCode: 'L-B99A9384', Value: 1000 } }),
  'ServiceQuotasV20190624.RequestServiceQuotaIncrease': () => ({ RequestedQuota: { Status: 'PENDING' } }),
  'AmazonEC2ContainerRegistry_V20150921.CreateRepository': ({ repositoryName: name }) => ({
    repository: { repositoryName: name },
  }),
  'AmazonEC2ContainerRegistry_V20150921.DescribeRepositories': () => {
    throw new Refusal('RepositoryNotFoundException', 'The repository does not exist.')
  },
}
