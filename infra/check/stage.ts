import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import type { Team } from '../../lib/deliver/handler-file.ts'
import { ConfigError, listOf } from '../../lib/runtime/config.ts'
import { SERVICE } from '../../lib/runtime/settings/edge.ts'
import { describeStage, type StageDescription } from '../deployed.ts'
import { wrongEdgeSecrets } from '../edge/secrets.ts'
import { type Finding, failing, passed, warn } from '../finding.ts'
import { wrongParameters } from '../parameters.ts'
import { ENGINE, STAGE_PACKAGE } from '../project.ts'
import { stageNetwork } from '../stage-wide.ts'
import { type StageValues, stageNames, stageParameters, wrongOverrides, wrongStage } from '../stages.ts'
import { configuredTeam } from '../team-config.ts'
import {
  awsReason,
  checkBoundary,
  checkCaller,
  checkConcurrency,
  checkKey,
  checkNetwork,
  checkRegion,
  type NamedNetwork,
} from './account.ts'
import { rightsIn } from './report.ts'
import { checkSecrets } from './secrets.ts'

/** What a deployment is given. */
export interface StageRun {
  readonly stage: string
  /** Each `name=value`; they count for this run. */
  readonly overrides: readonly string[]
  /** Of the packages; by default the one that the engine writes to. */
  readonly folder?: string
}

/**
 * Whether a deployment of a stage would fail, or lack something, for a reason that CloudFormation does not name. Asks
 * AWS, and changes nothing there.
 */
export async function checkStage({ stage, overrides, folder = STAGE_PACKAGE }: StageRun): Promise<readonly Finding[]> {
  const { findings, team } = await checkFiles(stage, overrides)
  if (!team) return findings
  const parameters = stageParameters(stage, overrides, team.name)
  const destinations = destinationsOf(team, stage)
  const description = describeStage(parameters, destinations)
  const region = String(parameters['region'])
  const { finding: credentials, arn } = await checkCaller(region)
  const template = checkTemplate(description, { stage, overrides, folder })
  const offline = [...findings, template, ...lacking(team, parameters), credentials]
  const { permissionsBoundary, kmsKeyArn } = parameters
  const questions: readonly Question[] = [
    ['concurrency', true, () => checkConcurrency(region, reservedIn(parameters))],
    [
      'permissionsBoundary',
      permissionsBoundary,
      () => checkBoundary(region, String(permissionsBoundary), rightsIn(folder)),
    ],
    ['kmsKeyArn', kmsKeyArn, () => checkKey(region, String(kmsKeyArn), `${team.name ?? SERVICE}-${stage}`)],
    ...networksOf(parameters, destinations).map(
      (one) => [one.name, one.subnetIds?.length, () => checkNetwork(region, one)] as const,
    ),
    ['secrets', true, () => checkSecrets(stage, parameters, team)],
  ]
  const asked = questions.filter(([, isNamed]) => isNamed)
  if (arn === undefined) return [...offline, ...['region', ...asked.map(([check]) => check)].map(notAsked)]
  const answers = asked.map(([check, , ask]) => ask().catch(unasked(check)))
  return [...offline, checkRegion(region), ...(await Promise.all(answers)).flat()]
}

/** What only the account knows; it is asked if the stage names such a thing. */
type Question = readonly [check: string, isNamed: unknown, ask: () => Promise<Finding | readonly Finding[]>]

function networksOf(parameters: StageValues, destinations: readonly Destination[]): readonly NamedNetwork[] {
  const idsIn = (...names: readonly string[]) => names.flatMap((name) => listOf(String(parameters[name] ?? '')))
  const directory = { subnetIds: idsIn('directorySubnetIds'), securityGroupIds: idsIn('directorySecurityGroupIds') }
  const adapter = { subnetIds: idsIn('adapterPublicSubnetIds', 'adapterPrivateSubnetIds'), vpc: idsIn('adapterVpcId') }
  return [
    { name: 'network', ...stageNetwork(parameters) },
    ...destinations.map(({ name, network }) => ({ name: `network of ${name}`, ...network })),
    { name: 'directorySubnetIds', ...directory },
    { name: 'adapterVpcId', ...adapter },
  ]
}

function notAsked(check: string): Finding {
  return { level: 'skipped', check, message: 'AWS was not asked: it accepts no credentials of this shell' }
}

/** For all functions of the intake together. */
function reservedIn({ reservedConcurrency }: StageValues): number {
  return Number(reservedConcurrency || 0) * globSync('functions/webhooks/*.{ts,js}', { cwd: ENGINE }).length
}

/** Whoever deploys has to see the secrets, and nothing else. */
function unasked(check: string) {
  return (error: Error) => {
    const found = check !== 'secrets' && /AccessDenied|Unauthorized/.test(error.name) ? warn : failing
    return [found(check, awsReason(error), 'allow it, or find out why AWS refuses')]
  }
}

/** The configuration, the handlers and the files of all stages; what is wrong on each of them once. */
export async function checkProject(): Promise<readonly Finding[]> {
  const each = await Promise.all(['local', ...stageNames()].map((stage) => checkFiles(stage)))
  const findings = each.flatMap((one) => one.findings)
  return [...new Map(findings.map((one) => [one.level === 'fail' ? one.message : one.check, one])).values()]
}

/** Everything wrong in the file of a stage and in the team's configuration and code; the team if nothing is. */
async function checkFiles(stage: string, overrides: readonly string[] = []) {
  const unfit = wrongStage(stage)
  const wrong = unfit.length > 0 ? unfit : wrongValues(stage, overrides)
  const found = wrong.map((why) => failing(`stage ${stage}`, why, 'docs/deploy.md, step 3'))
  try {
    const team = await configuredTeam(stage)
    if (found.length > 0) return { findings: found }
    return { findings: [passed(`stage ${stage}`, 'its file, the configuration and the handlers')], team }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      findings: [
        ...found,
        ...error.problems.map((why) => failing('configuration', why, 'docs/sources.md, docs/destinations.md')),
      ],
    }
  }
}

function wrongValues(stage: string, overrides: readonly string[]): readonly string[] {
  return [...wrongOverrides(overrides), ...wrongParameters(stage, stageParameters(stage, overrides))]
}

/** Whether the packages are those of this stage with these parameters. */
function checkTemplate(next: StageDescription, { stage, overrides, folder = '' }: StageRun): Finding {
  const file = join(folder, 'cloudformation-template-update-stack.json')
  const command = ['npx gatehouse package --stage', stage, ...overrides.map((each) => `--param ${each}`)].join(' ')
  const refused = (message: string) => failing('template', message, `${command}, then this again`)
  if (!existsSync(file)) return refused(`there is no ${file}`)
  const { Metadata: metadata } = JSON.parse(readFileSync(file, 'utf8'))
  return isDeepStrictEqual(metadata?.Gatehouse, JSON.parse(JSON.stringify(next)))
    ? passed('template', 'what was packaged last is of this stage')
    : refused('what was packaged last is of another stage, or of other parameters')
}

/** What a stage may lack. */
function lacking({ sources = {} }: Team, parameters: StageValues): readonly Finding[] {
  const { edgeEnabled, edgeWebAclArn, edgeChallengeArn } = parameters
  const quiet = Object.keys(sources).filter((name) => sources[name]?.expectEvery === undefined)
  const onEdge = edgeEnabled === 'true'
  const [unproven] = wrongEdgeSecrets(parameters)
  const made = 'docs/deploy.md, step 7, makes it'
  return [
    ...quiet.map((name) => warn('expectEvery', `no alarm says when ${name} falls silent`, 'docs/sources.md, Fields')),
    ...(unproven ? [failing('edge', unproven, 'export it, then this again')] : []),
    ...(onEdge && !edgeWebAclArn ? [warn('firewall', 'CloudFront gets none', made)] : []),
    ...(onEdge && !edgeChallengeArn ? [warn('challenge', 'WWW-Authenticate keeps another name', made)] : []),
  ]
}
