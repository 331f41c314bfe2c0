import { type EvaluationResult, GetRoleCommand, IAMClient, paginateSimulatePrincipalPolicy } from '@aws-sdk/client-iam'
import { type Finding, failing, passed, warn } from '../finding.ts'
import { clientIn, isDenied, isNamed } from './asked.ts'
import type { Deployment } from './deployment.ts'
import { DEPLOY_RIGHTS, type DeployRight } from './rights-table.ts'

const WHERE = 'docs/deploy.md, step 1, has them all'

/**
 * Whether the deployer may create, change and delete what the template contains. IAM simulates the policies of the user
 * or role, and of its organization; it does not know the policy of a session.
 * @throws Error of the AWS SDK
 */
export async function checkRights(deployment: Deployment, types: ReadonlySet<string>): Promise<readonly Finding[]> {
  const { caller, region } = deployment
  if (!/:user\/|:assumed-role\//.test(caller.arn)) {
    return [
      warn('rights', `IAM cannot judge ${caller.arn}`, 'deploy as a user or role with the rights of docs/deploy.md'),
    ]
  }
  const iam = new IAMClient(clientIn(region))
  try {
    const principal = await principalOf(iam, caller.arn)
    const findings: Finding[] = [...unknownTypes(types)]
    // One after the other: IAM lets few of these calls through at once.
    for (const right of rightsFor(types)) findings.push(...(await lacking(iam, principal, right, deployment)))
    const ok = passed('rights', `${principal} may make, change and delete what the template makes`)
    return findings.length === 0 ? [ok] : findings
  } catch (error) {
    if (!isNamed(error, 'NoSuchEntityException')) throw error
    return [warn('rights', `IAM does not find ${caller.arn}`, 'allow iam:GetRole on it, or look yourself')]
  } finally {
    iam.destroy()
  }
}

function rightsFor(types: ReadonlySet<string>): readonly DeployRight[] {
  return DEPLOY_RIGHTS.filter(({ makes }) => makes.some((type) => type === '*' || types.has(type)))
}

/** Types whose rights the table does not have. */
export function unknownTypes(types: ReadonlySet<string>): readonly Finding[] {
  const known = new Set(DEPLOY_RIGHTS.flatMap(({ makes }) => makes))
  const unknown = [...types].filter((type) => !known.has(type))
  return unknown.map((type) => warn('rights', `what ${type} takes is not known`, 'look at it yourself'))
}

/** A role for the session that assumed it; the ARN of a session lacks the role's path. */
async function principalOf(iam: IAMClient, arn: string): Promise<string> {
  const [, partition, account, RoleName] = /^arn:([\w-]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(arn) ?? []
  if (RoleName === undefined) return arn
  try {
    const { Role: role } = await iam.send(new GetRoleCommand({ RoleName }))
    if (role?.Arn) return role.Arn
  } catch (error) {
    if (!isDenied(error)) throw error
  }
  return `arn:${partition}:iam::${account}:role/${RoleName}`
}

async function lacking(
  client: IAMClient,
  PolicySourceArn: string,
  right: DeployRight,
  deployment: Deployment,
): Promise<readonly Finding[]> {
  const resource = arnOf(right, deployment)
  if (resource === undefined) return []
  const context = { 'aws:RequestedRegion': deployment.region, ...right.context }
  const pages = paginateSimulatePrincipalPolicy(
    { client },
    {
      PolicySourceArn,
      ActionNames: right.actions.map((action) => `${right.service}:${action}`),
      ResourceArns: [resource.replaceAll('*', (star) => (resource === '*' ? star : 'preflight'))],
      ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
        ContextKeyName,
        ContextKeyType: 'string' as const,
        ContextKeyValues: [value],
      })),
    },
  )
  const results: EvaluationResult[] = []
  for await (const { EvaluationResults: page = [] } of pages) results.push(...page)
  return findingsOf(results, resource)
}

function findingsOf(results: readonly EvaluationResult[], resource: string): readonly Finding[] {
  const refused = results.filter(({ EvalDecision: decision }) => decision !== 'allowed')
  const isOpen = ({ EvalDecision: decision, MissingContextValues: keys = [] }: EvaluationResult) =>
    decision === 'implicitDeny' && keys.length > 0
  const named = (found: readonly EvaluationResult[]) => found.map(({ EvalActionName: name }) => name).join(', ')
  const open = refused.filter(isOpen)
  const denied = refused.filter((result) => !isOpen(result))
  const keys = [...new Set(open.flatMap(({ MissingContextValues: missing = [] }) => missing))].join(', ')
  return [
    ...(denied.length > 0 ? [failing('rights', `not allowed on ${resource}: ${named(denied)}`, WHERE)] : []),
    ...(open.length > 0
      ? [warn('rights', `on ${resource} it depends on ${keys}: ${named(open)}`, 'look at the policy that names it')]
      : []),
  ]
}

/** @returns undefined where a parameter that it names has no value */
function arnOf({ service, place, on }: DeployRight, deployment: Deployment): string | undefined {
  if (on === '*') return on
  const { stage, region, caller, parameters } = deployment
  const [, partition = 'aws', , , account = ''] = caller.arn.split(':')
  const values: Readonly<Record<string, unknown>> = { ...parameters, stage, region, account }
  const arn = /^<\w+Arn>$/.test(on) ? on : `arn:${partition}:${service}:${place}:${on}`
  const isKnown = [...arn.matchAll(/<(\w+)>/g)].every(([, name = '']) => values[name])
  return isKnown ? arn.replaceAll(/<(\w+)>/g, (_, name) => String(values[name])) : undefined
}
