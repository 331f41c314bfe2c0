import { networksOf } from '../lib/runtime/address.ts'
import { listOf } from '../lib/runtime/settings/values.ts'

/** The part of the deployment engine with the parameters of the stage and the settings of its functions, all resolved. */
export interface ParametersEngine {
  readonly service: {
    readonly custom: { readonly parameters: Parameters }
    readonly provider: { readonly environment: Parameters }
  }
}

type Parameters = Readonly<Record<string, unknown>>

const ADAPTER = [
  'adapterImage',
  'adapterCertificateArn',
  'adapterVpcId',
  'adapterPublicSubnetIds',
  'adapterPrivateSubnetIds',
  'adapterProxies',
]

/** @returns the errors in the parameters; empty if they can be deployed */
export function wrongParameters({ service }: ParametersEngine): readonly string[] {
  const { parameters } = service.custom
  return [
    ...wrongMinutes(parameters),
    ...wrongSwitches(parameters),
    ...missingForAdapter(parameters),
    ...wrongProxies(parameters, service.provider.environment),
  ]
}

/** Behind a proxy that is not named all callers have one address: one who guesses would lock out everybody. */
function wrongProxies({ edgeEnabled, adapterProxies }: Parameters, environment: Parameters): readonly string[] {
  const { STAGE, TRUSTED_PROXIES } = environment
  const isUnnamed = String(edgeEnabled) === 'true' && textsIn(TRUSTED_PROXIES).length === 0
  const wide = [
    ['TRUSTED_PROXIES', TRUSTED_PROXIES],
    ['adapterProxies', adapterProxies],
  ] as const
  return [
    ...(isUnnamed
      ? ['edgeEnabled: set TRUSTED_PROXIES to the addresses of CloudFront, as step 7 of docs/deploy.md does']
      : []),
    ...(STAGE === 'local' ? [] : wide.flatMap(([name, list]) => wrongNetworks(name, textsIn(list)))),
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

function wrongMinutes({ retryScanMinutes }: Parameters): readonly string[] {
  return /^[1-9]\d*$/.test(String(retryScanMinutes))
    ? []
    : ['retryScanMinutes: must be a whole number of minutes, 1 or more']
}

/** The template would treat any other word as `false`. */
function wrongSwitches(parameters: Parameters): readonly string[] {
  return ['edgeEnabled', 'adapterEnabled']
    .filter((name) => !['true', 'false'].includes(String(parameters[name])))
    .map((name) => `${name}: must be true or false`)
}

function missingForAdapter(parameters: Parameters): readonly string[] {
  if (String(parameters['adapterEnabled']) !== 'true') return []
  const missing = ADAPTER.filter((name) => textsIn(parameters[name]).length === 0)
  const alone = ['adapterPublicSubnetIds'].filter((name) => textsIn(parameters[name]).length === 1)
  return [
    ...missing.map((name) => `${name}: must be set with adapterEnabled=true`),
    ...alone.map((name) => `${name}: a load balancer needs two subnets at least`),
  ]
}

/** The items of a comma-separated list. */
function textsIn(list: unknown): readonly string[] {
  return listOf(String(list ?? ''))
}
