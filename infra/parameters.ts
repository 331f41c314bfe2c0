import { networksOf } from '../lib/runtime/address.ts'
import { listOf } from '../lib/runtime/config.ts'
import { wrongWide } from './stage-wide.ts'
import type { StageValues } from './stages.ts'

const ADAPTER = [
  'adapterImage',
  'adapterCertificateArn',
  'adapterVpcId',
  'adapterPublicSubnetIds',
  'adapterPrivateSubnetIds',
  'adapterProxies',
]

/** @returns the errors in the parameters of a stage; empty if they can be deployed */
export function wrongParameters(stage: string, parameters: StageValues): readonly string[] {
  return [
    ...wrongMinutes(parameters),
    ...wrongSwitches(parameters),
    ...wrongDomain(parameters),
    ...missingForAdapter(parameters),
    ...missingForNetwork(parameters),
    ...wrongProxies(stage, parameters),
    ...wrongWide(parameters),
  ]
}

/** Behind a proxy that is not named all callers have one address: one who guesses would lock out everybody. */
function wrongProxies(
  stage: string,
  { edgeEnabled, adapterProxies, TRUSTED_PROXIES = '' }: StageValues,
): readonly string[] {
  const isUnnamed = edgeEnabled === 'true' && textsIn(TRUSTED_PROXIES).length === 0
  const wide = [
    ['TRUSTED_PROXIES', TRUSTED_PROXIES],
    ['adapterProxies', adapterProxies],
  ] as const
  return [
    ...(isUnnamed
      ? ['edgeEnabled: set TRUSTED_PROXIES to the addresses of CloudFront, as step 7 of docs/deploy.md does']
      : []),
    ...(stage === 'local' ? [] : wide.flatMap(([name, list]) => wrongNetworks(name, textsIn(list)))),
  ]
}

/** The file of a stage makes one of the other; the command line does not. */
function wrongDomain({ domainName, domainCertificateArn, baseUrl }: StageValues): readonly string[] {
  if (!domainName) return []
  return [
    ...(domainCertificateArn ? [] : ['domainCertificateArn: must be set with domainName']),
    ...(typeof baseUrl === 'string' ? [] : ['baseUrl: must be set with --param domainName']),
  ]
}

function wrongNetworks(name: string, list: readonly string[]): readonly string[] {
  try {
    const { tooWide } = networksOf(list)
    return tooWide === undefined ? [] : [`${name}: ${tooWide} holds strangers`]
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`]
  }
}

function wrongMinutes({ retryScanMinutes }: StageValues): readonly string[] {
  return /^[1-9]\d*$/.test(String(retryScanMinutes))
    ? []
    : ['retryScanMinutes: must be a whole number of minutes, 1 or more']
}

/** The template would treat any other word as `false`. */
function wrongSwitches(parameters: StageValues): readonly string[] {
  const words = {
    ...Object.fromEntries(['edge', 'adapter', 'dashboard'].map((name) => [`${name}Enabled`, ['true', 'false']])),
    data: ['kept', 'disposable'],
    tracing: ['Active', 'PassThrough'],
  }
  return Object.entries(words)
    .filter(([name, known]) => !known.includes(String(parameters[name])))
    .map(([name, known]) => `${name}: must be ${known.join(' or ')}`)
}

function missingForAdapter(parameters: StageValues): readonly string[] {
  if (String(parameters['adapterEnabled']) !== 'true') return []
  const missing = ADAPTER.filter((name) => textsIn(parameters[name]).length === 0)
  const alone = ['adapterPublicSubnetIds'].filter((name) => textsIn(parameters[name]).length === 1)
  return [
    ...missing.map((name) => `${name}: must be set with adapterEnabled=true`),
    ...alone.map((name) => `${name}: a load balancer needs two subnets at least`),
  ]
}

/** A network of which half is known would leave the functions without the directory, or without AWS. */
function missingForNetwork({
  directorySubnetIds,
  directorySecurityGroupIds,
  LDAP_URL,
}: StageValues): readonly string[] {
  const wanted = { directorySubnetIds, directorySecurityGroupIds, LDAP_URL }
  const given = [directorySubnetIds, directorySecurityGroupIds].flatMap(textsIn)
  if (given.length === 0) return []
  return Object.entries(wanted)
    .filter(([, value]) => textsIn(value).length === 0)
    .map(([name]) => `${name}: must be set with a network of the directory`)
}

/** The items of a comma-separated list. */
function textsIn(list: unknown): readonly string[] {
  return listOf(String(list ?? ''))
}
