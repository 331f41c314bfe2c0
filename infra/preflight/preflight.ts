import type { Destination } from '../../lib/deliver/destination.ts'
import { ConfigError } from '../../lib/runtime/config.ts'
import { stageDestinations } from '../deliver/stage.ts'
import { type Finding, failing, passed } from '../finding.ts'
import { wrongParameters } from '../parameters.ts'
import { describeStage, findRemovals, type StageDescription } from '../removals.ts'
import { type StageValues, stageParameters, wrongOverrides, wrongStage } from '../stages.ts'
import { checkCaller, checkConcurrency, checkRegion } from './account.ts'
import { asked } from './asked.ts'
import { checkCertificate } from './certificate.ts'
import { checkLinkedRoles } from './container.ts'
import type { Deployment } from './deployment.ts'
import { checkChallenge, checkFirewall, checkZone, EDGE_REGION } from './domain.ts'
import { checkRights } from './rights.ts'
import { checkSecrets } from './secrets.ts'
import { checkTemplate } from './template.ts'

/** What a deployment is given. */
export interface PreflightRun {
  readonly stage: string
  /** Each `name=value`; they count for this run. */
  readonly overrides: readonly string[]
  /** Of the packages; by default the one that the engine writes to. */
  readonly folder?: string
}

const NEEDED = { isNeeded: true }

/** Whether a deployment would fail, and why. Asks AWS, and changes nothing there. */
export async function preflight({ stage, overrides, folder }: PreflightRun): Promise<readonly Finding[]> {
  const wrong = wrongStage(stage)
  if (wrong.length > 0) return wrong.map((why) => failing('stage', why, 'docs/deploy.md, step 3'))
  const parameters = stageParameters(stage, overrides)
  const unfit = [...wrongOverrides(overrides), ...wrongParameters(stage, parameters)]
  if (unfit.length > 0) return unfit.map((why) => failing('parameters', why, `correct it in the file of ${stage}`))
  const destinations = await stageDestinations(stage).catch(problemsIn)
  if (!isFit(destinations))
    return destinations.map((why) => failing('destinations', why, 'correct gatehouse.config.ts'))
  const description = describeStage(parameters, destinations)
  const command = ['npx serverless package --stage', stage, ...overrides.map((each) => `--param ${each}`)].join(' ')
  const { finding: template, types } = checkTemplate(description, command, folder)
  const region = String(parameters['region'])
  const { finding: credentials, caller } = await checkCaller(region)
  const offline = [passed('stage', `${stage}, with ${Object.keys(description.parameters).length} values`), template]
  if (!caller) return [...offline, credentials]
  const deployment = { stage, parameters, destinations, region, caller }
  return [
    ...offline,
    credentials,
    checkRegion(region),
    ...(await asked('removals', 'cloudformation:GetTemplate', () => checkRemovals(deployment, description), NEEDED)),
    ...(types.size === 0
      ? []
      : await asked('rights', 'iam:SimulatePrincipalPolicy', () => checkRights(deployment, types))),
    ...(await asked('concurrency', 'lambda:GetAccountSettings', () => checkConcurrency(region))),
    ...(await asked('secrets', 'secretsmanager:DescribeSecret', () => checkSecrets(deployment), NEEDED)),
    ...(await checkContainer(deployment)),
    ...(await checkDomain(deployment)),
    ...(await checkEdge(deployment)),
  ]
}

function problemsIn(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  throw error
}

function isFit(found: readonly Destination[] | readonly string[]): found is readonly Destination[] {
  return found.every((each) => typeof each !== 'string')
}

async function checkRemovals(deployment: Deployment, next: StageDescription): Promise<readonly Finding[]> {
  const { stage, region, parameters } = deployment
  const stack = `gatehouse-${stage}`
  const engine = {
    getProvider: () => ({
      naming: { getStackName: () => stack },
      getAwsSdkV3Config: async () => ({ region }),
    }),
  }
  const { taken, permission } = await findRemovals(engine, next, parameters['allowRemoval'])
  if (taken.length === 0) return [passed('removals', 'nothing is taken from the deployed stage')]
  const message = `This deployment takes away what ${stack} has, ${taken.join(', ')}`
  return [failing('removals', message, `set it again, or allow it for this run: ${permission}`)]
}

async function checkContainer(deployment: Deployment): Promise<readonly Finding[]> {
  const { parameters, region } = deployment
  if (parameters['adapterEnabled'] !== 'true') return []
  const address = String(parameters['STOMP_URL'] ?? '')
  const names = URL.canParse(address) ? [new URL(address).hostname] : []
  const wanted = { arn: String(parameters['adapterCertificateArn']), region, names }
  return [
    ...(await asked('linked roles', 'iam:GetRole', () => checkLinkedRoles(region))),
    ...(await asked('certificate', 'acm:DescribeCertificate', () => checkCertificate(deployment, wanted))),
  ]
}

async function checkDomain(deployment: Deployment): Promise<readonly Finding[]> {
  const { domainName, domainCertificateArn, hostedZoneId, edgeEnabled }: StageValues = deployment.parameters
  if (!domainName) return []
  const region = edgeEnabled === 'true' ? EDGE_REGION : deployment.region
  const name = String(domainName)
  const wanted = { arn: String(domainCertificateArn), region, names: [name] }
  const zone = () => checkZone(String(hostedZoneId), name, deployment.region)
  return [
    ...(await asked('certificate', 'acm:DescribeCertificate', () => checkCertificate(deployment, wanted))),
    ...(hostedZoneId ? await asked('hosted zone', 'route53:GetHostedZone', zone) : []),
  ]
}

async function checkEdge(deployment: Deployment): Promise<readonly Finding[]> {
  if (deployment.parameters['edgeEnabled'] !== 'true') return []
  const challenge = () => checkChallenge(deployment)
  return [checkFirewall(deployment), ...(await asked('challenge', 'lambda:GetFunctionConfiguration', challenge))]
}
