import { env } from 'node:process'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { sendRequest, signedHeaders } from '../../lib/adapters/aws/client.ts'
import type { Network } from '../../lib/config.ts'
import { endpointIn } from '../deployed.ts'
import { type Finding, failing, passed, warn } from '../finding.ts'

const CREDENTIALS = 'aws configure, AWS_PROFILE, or AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY'

/** How long AWS is waited for, in milliseconds. */
export function clientIn(region: string) {
  return { region, requestHandler: { connectionTimeout: 5000, requestTimeout: 10_000 } }
}

/** Whom the credentials of this shell belong to; no ARN if there are none, or AWS does not know them. */
export async function checkCaller(region: string): Promise<{ readonly finding: Finding; readonly arn?: string }> {
  const client = new STSClient(clientIn(region))
  try {
    const { Account: account, Arn: arn = '' } = await client.send(new GetCallerIdentityCommand())
    return { finding: passed('credentials', `account ${account}, as ${arn}`), arn }
  } catch (error) {
    return { finding: failing('credentials', awsReason(error), CREDENTIALS) }
  } finally {
    client.destroy()
  }
}

/** Commands of AWS in this shell go to its region, `npx serverless` goes to that of the stage. */
export function checkRegion(region: string): Finding {
  const shell = env['AWS_REGION'] || env['AWS_DEFAULT_REGION']
  if (!shell || shell === region) return passed('region', region)
  const remedy = `export AWS_REGION=${region} before any other command of AWS`
  return warn('region', `${region}, and ${shell} in this shell`, remedy)
}

/** What a new account has is 10; the functions of a stage serve a person's page with several calls at once. */
const FEW = 100

/** What Lambda leaves to functions that reserve nothing (Lambda developer guide, "Configuring reserved concurrency"). */
const UNRESERVED = 100

/** @param reserved for all functions together @throws Error of the AWS SDK */
export async function checkConcurrency(region: string, reserved: number): Promise<readonly Finding[]> {
  const client = new LambdaClient(clientIn(region))
  try {
    const { AccountLimit: limit } = await client.send(new GetAccountSettingsCommand())
    const most = limit?.ConcurrentExecutions ?? 0
    const message = `${most} functions at a time`
    if (reserved > 0 && reserved > most - UNRESERVED) {
      const wanted = `${message}, of which reservedConcurrency takes ${reserved} and ${UNRESERVED} must be left`
      return [failing('concurrency', wanted, 'reserve less, or ask for more: docs/deploy.md, step 1')]
    }
    if (most >= FEW) return [passed('concurrency', message)]
    return [warn('concurrency', message, 'ask for more, docs/deploy.md, step 1, says how')]
  } finally {
    client.destroy()
  }
}

/** Whether the policy exists, and lets the roles do all of this. @throws Error of AWS */
export async function checkBoundary(region: string, PolicyArn: string, actions: readonly string[]): Promise<Finding> {
  const policy = await ask(region, 'iam', 'GetPolicy', { PolicyArn })
  const VersionId = /<DefaultVersionId>(.*?)</.exec(policy)?.[1] ?? ''
  const version = await ask(region, 'iam', 'GetPolicyVersion', { PolicyArn, VersionId })
  const document = decodeURIComponent(/<Document>(.*?)</s.exec(version)?.[1] ?? '')
  const forbidden = actions.filter((action) => !lets(document, action)).join(', ')
  if (!forbidden) return passed('permissionsBoundary', `forbids none of ${actions.length} actions`)
  return failing('permissionsBoundary', `forbids ${forbidden}`, 'allow them there, or name another one')
}

/** What is done with a key, for a function and for its log. */
const WITH_KEY = ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey']

/** Whether the key is fit, and the functions of the stack and their logs may use it. @throws Error of AWS */
export async function checkKey(region: string, KeyId: string, stack: string): Promise<Finding> {
  const { KeyMetadata: key } = JSON.parse(await ask(region, 'kms', 'DescribeKey', { KeyId }))
  const { Policy: policy } = JSON.parse(await ask(region, 'kms', 'GetKeyPolicy', { KeyId, PolicyName: 'default' }))
  const owner = KeyId.split(':')[4]
  const users = {
    'roles of the stage': new RegExp(`^(\\*|${owner}|.*:${owner}:(root|role/.*${stack}-.*))$`),
    [`logs.${region}.amazonaws.com`]: new RegExp(`^(\\*|logs\\.(${region}\\.)?amazonaws\\.com)$`),
  }
  const locked = Object.entries(users).filter(([, user]) => !WITH_KEY.every((action) => lets(policy, action, user)))
  const isFit = key.KeyState === 'Enabled' && key.KeySpec === 'SYMMETRIC_DEFAULT'
  const wrong = [
    ...(isFit ? [] : [`it is ${key.KeyState}, and ${key.KeySpec}`]),
    ...locked.map(([name]) => `its policy does not let ${name} use it`),
  ]
  if (wrong.length === 0) return passed('kmsKeyArn', 'enabled, for functions and logs')
  return failing('kmsKeyArn', wrong.join('; '), 'change the key, or name another one')
}

type Texts = string | readonly string[]

/** Whether a policy may allow an action to a user. A condition, or what it denies on some resources, may still forbid it. */
function lets(policy: string, action: string, user = /^/): boolean {
  const names = (patterns: Texts) =>
    [patterns].flat().some((one) => new RegExp(`^${one.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i').test(action))
  const about = [JSON.parse(policy).Statement]
    .flat()
    .filter(({ Action: some = [], NotAction: others, Principal: who = '*' }) => {
      const users: readonly string[] = who === '*' ? ['*'] : Object.values<Texts>(who).flat()
      return (others ? !names(others) : names(some)) && users.some((one) => user.test(one))
    })
  const isDenied = about.some((one) => one.Effect === 'Deny' && one.Resource === '*' && !one.Condition)
  return !isDenied && about.some((one) => one.Effect === 'Allow')
}

/** Where functions or tasks run. */
export interface NamedNetwork extends Partial<Network> {
  readonly name: string
  /** The one that it has to be in, if any is named. */
  readonly vpc?: readonly string[]
}

/** Whether all of a network is in one VPC of the region. @throws Error of AWS */
export async function checkNetwork(region: string, { name, vpc = [], ...network }: NamedNetwork): Promise<Finding> {
  const { subnetIds = [], securityGroupIds: groupIds = [] } = network
  const subnets = await ask(region, 'ec2', 'DescribeSubnets', numbered('SubnetId', subnetIds))
  const groups =
    groupIds.length > 0 ? await ask(region, 'ec2', 'DescribeSecurityGroups', numbered('GroupId', groupIds)) : ''
  // The rules of a group may name groups of other VPCs.
  const ids = `${subnets}${groups}`.replaceAll(/<groups>.*?<\/groups>/gs, '').matchAll(/<vpcId>(.*?)</g)
  const all = new Set([...vpc, ...Array.from(ids, ([, id = '']) => id)])
  const where = `in ${[...all].join(' and ')}`
  return all.size === 1 ? passed(name, where) : failing(name, where, 'name subnets and groups of one VPC')
}

function numbered(name: string, values: readonly string[]) {
  return Object.fromEntries(values.map((value, at) => [`${name}.${at + 1}`, value]))
}

/** Those of services that speak XML. */
const VERSIONS: Readonly<Record<string, string>> = { ec2: '2016-11-15', iam: '2010-05-08' }

/** Asks a service for which no client is installed. @throws Error with the words of AWS */
async function ask(
  region: string,
  service: string,
  Action: string,
  input: Readonly<Record<string, string>>,
): Promise<string> {
  const sts = new STSClient(clientIn(region))
  const credentials = await sts.config.credentials()
  sts.destroy()
  const [endpoint, Version] = [endpointIn(region, service), VERSIONS[service]]
  const body = Version ? `${new URLSearchParams({ Action, Version, ...input })}` : JSON.stringify(input)
  const target = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${Action}` }
  const headers = Version ? { 'content-type': 'application/x-www-form-urlencoded' } : target
  const scope = { region: service === 'iam' ? 'us-east-1' : region, service, at: new Date() }
  const signed = signedHeaders({ host: endpoint.host, headers, body }, credentials, scope)
  const answer = await sendRequest(endpoint, { method: 'POST', headers: signed, body }, { timeout: 10_000 })
  if (answer.status === 200) return answer.body
  const [, name = `HTTP ${answer.status}`] = /(?:<Code>|"__type":\s*"(?:.*#)?)([\w.]+)/.exec(answer.body) ?? []
  const [, message = name] = /(?:<Message>|"message":\s*")([^<"]*)/i.exec(answer.body) ?? []
  throw Object.assign(new Error(message), { name })
}

/** In the words of AWS, which name a right that is missing. */
export function awsReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { name, message, cause } = error
  return cause instanceof Error ? awsReason(cause) : message.includes(name) ? message : `${name}: ${message}`
}
